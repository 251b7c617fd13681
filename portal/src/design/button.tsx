import { type ComponentProps, cloneElement, type ReactElement } from 'react'
import { Spinner } from './icons.tsx'

const base =
  'inline-flex select-none items-center justify-center gap-2 whitespace-nowrap border font-medium no-underline transition-colors disabled:cursor-not-allowed aria-busy:cursor-progress'
const looks = {
  primary: 'border-transparent bg-accent text-on-accent hover:bg-accent-strong disabled:bg-sunken disabled:text-faint',
  plain: 'border-line bg-surface text-ink shadow-raised hover:bg-sunken disabled:text-faint disabled:shadow-none',
  quiet: 'border-transparent bg-transparent text-soft hover:bg-sunken hover:text-ink disabled:text-faint',
  grave: 'border-line bg-surface text-bad shadow-raised hover:bg-bad-tint disabled:text-faint disabled:shadow-none',
  danger: 'border-transparent bg-bad text-on-bad hover:opacity-90 disabled:bg-sunken disabled:text-faint',
} as const
const sizes = { base: 'control px-3.5', small: 'control-small px-2.5', square: 'control-small aspect-square px-0' } as const

export type ButtonProps = ComponentProps<'button'> & {
  look?: keyof typeof looks
  size?: keyof typeof sizes
  /** Something is under way: the button says so and takes no second click. */
  busy?: boolean
  /** Draw the child (a link) as a button. */
  asChild?: boolean
}

export function Button({ look = 'plain', size = 'base', busy = false, asChild, className = '', children, onClick, ...rest }: ButtonProps) {
  const style = `${base} ${looks[look]} ${sizes[size]} ${className}`
  if (asChild) return cloneElement(children as ReactElement<ComponentProps<'a'>>, { className: style, ...(rest as ComponentProps<'a'>) })
  return (
    <button
      type="button"
      className={style}
      aria-busy={busy || undefined}
      onClick={(event) => (busy ? event.preventDefault() : onClick?.(event))}
      {...rest}
    >
      {busy && <Spinner />}
      {children}
    </button>
  )
}
