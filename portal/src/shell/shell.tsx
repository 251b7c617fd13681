import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { Logo } from '../design/logo.tsx'
import { AccountMenu } from './account-menu.tsx'
import { CommandMenu } from './command-menu.tsx'
import { ServiceBanner } from './service-banner.tsx'
import { OrganizationSwitcher, Slash, WorkspaceSwitcher } from './switcher.tsx'

/** The frame of every page for signed-in people. */
export function Shell({ children = <Outlet /> }: { children?: ReactNode }) {
  return (
    <div className="min-h-dvh">
      <a href="#content" className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:bg-surface focus:p-3">
        Skip to content
      </a>
      <header className="sticky top-0 z-30 border-line border-b bg-surface">
        <div className="mx-auto flex h-14 max-w-384 items-center gap-1 px-4 sm:px-6">
          <Link to="/" className="mr-1 shrink-0 rounded-small" aria-label="Adjoin, my organizations">
            <Logo className="h-6 max-sm:hidden" />
            <Logo className="h-6 sm:hidden" short />
          </Link>
          <Slash />
          <OrganizationSwitcher />
          <WorkspaceSwitcher />
          <span className="flex-1" />
          <CommandMenu />
          <AccountMenu />
        </div>
        <ServiceBanner />
      </header>
      {children}
    </div>
  )
}

/** What a page says; takes the focus when the place changes, so that a screen reader says where they are. */
export function Content({ children }: { children: ReactNode }) {
  const { pathname } = useLocation()
  const main = useRef<HTMLElement>(null)
  const before = useRef(pathname)
  useEffect(() => {
    if (before.current !== pathname) main.current?.focus({ preventScroll: true })
    before.current = pathname
  }, [pathname])
  return (
    <main ref={main} id="content" tabIndex={-1} className="min-w-0 flex-1">
      {children}
    </main>
  )
}

type PageProps = {
  title: string
  of?: string
  lead?: ReactNode
  action?: ReactNode
  /** Forms and sentences: wider lines are harder to read. */
  narrow?: boolean
  children: ReactNode
}

export const Page = ({ title, of, lead, action, narrow, children }: PageProps) => (
  <div className={`grid grid-cols-[minmax(0,1fr)] gap-5 ${narrow ? 'max-w-3xl' : ''}`}>
    <title>{`${title}${of ? ` · ${of}` : ''} · Adjoin`}</title>
    <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="min-w-0">
        <h1 className="wrap-anywhere font-semibold text-title tracking-tight">{title}</h1>
        {lead && <p className="mt-0.5 text-soft">{lead}</p>}
      </div>
      {action && <div className="flex flex-wrap gap-2">{action}</div>}
    </header>
    {children}
  </div>
)

/** A page that belongs to no organization. */
export const LonePage = (props: PageProps) => (
  <div className="mx-auto flex max-w-3xl px-4 py-8 sm:px-6">
    <Content>
      <Page {...props} />
    </Content>
  </div>
)
