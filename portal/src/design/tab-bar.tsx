import { useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'

/** Of each link in a bar of tabs. */
export const tabLook =
  '-mb-px block whitespace-nowrap border-transparent border-b-2 py-2 text-soft hover:text-ink data-[status=active]:border-accent data-[status=active]:font-medium data-[status=active]:text-ink pointer-coarse:py-3'

/** The pages of one thing, side by side. Each has its own address; on a phone the bar scrolls, and the open one stays in sight. */
export function TabBar({ label, children }: { label: string; children: ReactNode }) {
  const nav = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the place changes
  useEffect(() => {
    nav.current?.querySelector('[data-status=active]')?.scrollIntoView({ inline: 'center', block: 'nearest' })
  }, [pathname])
  return (
    <nav
      ref={nav}
      aria-label={label}
      className="-mt-1 overflow-x-auto border-line border-b [scrollbar-width:none] max-md:-mx-4 max-md:px-4 sm:max-md:-mx-6 sm:max-md:px-6"
    >
      <ul className="flex w-max gap-5">{children}</ul>
    </nav>
  )
}
