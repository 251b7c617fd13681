import type { ComponentProps } from 'react'
import { Icon } from './icons.tsx'

/**
 * A choice within a row or a bar: quiet until one reaches for it.
 * It is named by `aria-label`, or by a label with its `id`.
 */
export const InlineSelect = ({ className = 'bg-transparent', ...select }: ComponentProps<'select'>) => (
  <span className="relative inline-grid min-w-0">
    <select
      {...select}
      className={`control-small min-w-0 appearance-none border border-line py-0.5 pr-7 pl-2 text-ink hover:bg-sunken disabled:text-faint ${className}`}
    />
    <Icon name="chevron" className="pointer-events-none absolute top-1/2 right-1.5 -translate-y-1/2 text-faint" />
  </span>
)
