import type { ReactNode } from 'react'

/** A key of the keyboard. */
export const Kbd = ({ children }: { children: ReactNode }) => (
  <kbd className="rounded-[4px] border border-line bg-canvas px-1 font-medium font-sans text-soft text-tiny">{children}</kbd>
)
