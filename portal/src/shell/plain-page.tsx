import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Logo } from '../design/logo.tsx'
import { ThemeMenu } from './theme-menu.tsx'

type PlainPageProps = { title: string; lead?: ReactNode; children?: ReactNode; foot?: ReactNode }

/** A page with one matter and nothing around it: signing in, a link from a mail, an error. */
export const PlainPage = ({ title, lead, children, foot }: PlainPageProps) => (
  <div className="grid min-h-dvh grid-rows-[auto_1fr] px-4">
    <title>{`${title} · Adjoin`}</title>
    <header className="mx-auto flex w-full max-w-6xl items-center justify-between py-4">
      <Link to="/" className="rounded-small">
        <Logo />
      </Link>
      <ThemeMenu />
    </header>
    <main className="mx-auto w-full max-w-md pt-[min(10vh,6rem)] pb-16">
      <h1 className="wrap-anywhere font-semibold text-title tracking-tight">{title}</h1>
      {lead && <p className="mt-1.5 text-soft">{lead}</p>}
      {children && <div className="card mt-6 p-5 sm:p-6">{children}</div>}
      {foot && <p className="mt-5 text-soft">{foot}</p>}
    </main>
  </div>
)
