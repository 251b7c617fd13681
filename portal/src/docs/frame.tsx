import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '../design/button.tsx'
import { CopyButton } from '../design/copy-button.tsx'
import { Icon } from '../design/icons.tsx'
import { Logo } from '../design/logo.tsx'
import { maybeSignedIn } from '../session.ts'
import { ThemeMenu } from '../shell/theme-menu.tsx'
import { DocsSearch } from './search.tsx'
import { Sidebar } from './sidebar.tsx'
import { useServer } from './use-document.ts'

/** What surrounds every page of the documentation. It needs no session. */
export function DocsFrame(): ReactNode {
  const { pathname } = useLocation()
  const [open, setOpen] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a phone's menu closes whenever the place changes
  useEffect(() => setOpen(false), [pathname])
  return (
    <div className="min-h-dvh">
      <a href="#content" className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:bg-surface focus:p-3">
        Skip to content
      </a>
      <header className="sticky top-0 z-30 border-line border-b bg-surface">
        <div className="mx-auto flex h-14 max-w-384 items-center gap-1 px-4 sm:gap-2 sm:px-6">
          <Button
            look="quiet"
            size="square"
            className="-ml-2 lg:hidden"
            aria-label="Menu"
            aria-expanded={open}
            aria-controls="docs-menu"
            onClick={() => setOpen(!open)}
          >
            <Icon name={open ? 'close' : 'menu'} />
          </Button>
          <Link to="/" className="shrink-0 rounded-small" aria-label="Adjoin, start page">
            <Logo className="h-6 max-sm:hidden" />
            <Logo className="h-6 sm:hidden" short />
          </Link>
          <Link to="/docs" className="rounded-small px-1.5 font-medium text-soft hover:text-ink">
            Docs
          </Link>
          <span className="flex-1" />
          <DocsSearch />
          <ThemeMenu />
          <Button asChild size="small" className="max-sm:hidden">
            {maybeSignedIn() ? <Link to="/">Open the portal</Link> : <Link to="/signin">Sign in</Link>}
          </Button>
        </div>
      </header>
      <div className="mx-auto flex max-w-384 gap-8 px-4 sm:px-6">
        <nav
          id="docs-menu"
          aria-label="Documentation"
          className={`w-60 shrink-0 self-start overflow-y-auto py-6 max-lg:fixed max-lg:inset-0 max-lg:top-14 max-lg:z-20 max-lg:w-full max-lg:bg-canvas max-lg:px-4 lg:sticky lg:top-14 lg:max-h-[calc(100dvh-3.5rem)] ${open ? '' : 'max-lg:hidden'}`}
        >
          <Sidebar />
        </nav>
        <Content />
      </div>
    </div>
  )
}

/** Takes the focus when the place changes, so that a screen reader says where they are. */
function Content() {
  const { pathname } = useLocation()
  const main = useRef<HTMLElement>(null)
  const before = useRef(pathname)
  useEffect(() => {
    if (before.current !== pathname) main.current?.focus({ preventScroll: true })
    before.current = pathname
  }, [pathname])
  return (
    <main ref={main} id="content" tabIndex={-1} className="min-w-0 flex-1 pt-5 pb-20">
      <ServerAddress />
      <Outlet />
    </main>
  )
}

function ServerAddress() {
  const server = useServer()
  return (
    <div className="mb-6 flex flex-wrap items-center gap-x-2.5 gap-y-1 text-small">
      <span className="text-faint">Server</span>
      <code className="wrap-anywhere min-w-0 font-mono" data-testid="server">
        {server}
      </code>
      <CopyButton text={server} of="the server address" look="quiet" />
    </div>
  )
}
