import type { ComponentProps } from 'react'
import { Icon } from './icons.tsx'

/** A choice within a row: quiet until one reaches for it. */
export const InlineSelect = ({ className = '', ...select }: ComponentProps<'select'> & { 'aria-label': string }) => (
  <span className={`relative inline-grid ${className}`}>
    <select
      {...select}
      className="control-small appearance-none border border-line bg-transparent py-0.5 pr-7 pl-2 text-ink hover:bg-sunken disabled:text-faint"
    />
    <Icon name="chevron" className="pointer-events-none absolute top-1/2 right-1.5 -translate-y-1/2 text-faint" />
  </span>
)
