import type { ReactNode } from 'react'
import { Icon, type IconName } from './icons.tsx'

/** Nothing yet: what would stand here, and the step that brings it. */
export const Empty = ({
  icon,
  title,
  children,
  action,
  heading: Heading = 'p',
}: {
  icon: IconName
  title: string
  heading?: 'p' | 'h1'
  children: ReactNode
  action?: ReactNode
}) => (
  <div className="mx-auto grid max-w-md justify-items-center gap-1.5 px-6 py-12 text-center">
    <span className="mb-2 grid size-10 place-items-center rounded-large bg-accent-tint text-accent">
      <Icon name={icon} className="size-5" />
    </span>
    <Heading className="font-semibold text-large">{title}</Heading>
    <p className="text-soft">{children}</p>
    {action && <div className="mt-4 flex flex-wrap justify-center gap-2">{action}</div>}
  </div>
)
