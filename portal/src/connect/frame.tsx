import { ProblemError } from '@adjoin/contract/client'
import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from '../design/button.tsx'
import { Icon, type IconName } from '../design/icons.tsx'
import { Logo } from '../design/logo.tsx'
import { Skeleton } from '../design/skeleton.tsx'
import { explain } from '../problem.ts'

type FrameProps = { title: string; lead?: ReactNode; mark?: { icon: IconName; good?: boolean }; children?: ReactNode; foot?: ReactNode }

/** A page for someone without an account: one matter, and who is behind it. */
export function Frame({ title, lead, mark, children, foot }: FrameProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  // What the page is about has changed under the reader: it is read out, and the keyboard begins there.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the title changes
  useEffect(() => heading.current?.focus({ preventScroll: true }), [title])
  return (
    <div className="grid min-h-dvh grid-rows-[1fr_auto] px-4">
      <title>{`${title} · Adjoin`}</title>
      <main className="mx-auto w-full max-w-lg pt-[min(8vh,5rem)] pb-10">
        {mark && (
          <span
            className={`mb-4 grid size-11 place-items-center rounded-full ${mark.good ? 'bg-good-tint text-good' : 'bg-warn-tint text-warn'}`}
          >
            <Icon name={mark.icon} className="size-5" />
          </span>
        )}
        <h1 ref={heading} tabIndex={-1} className="wrap-anywhere outline-none font-semibold text-title tracking-tight">
          {title}
        </h1>
        {lead && <div className="mt-1.5 grid gap-2 text-large text-soft">{lead}</div>}
        {children}
        {foot && <div className="mt-6 grid gap-2 text-small text-soft">{foot}</div>}
      </main>
      <footer className="mx-auto flex w-full max-w-lg items-center gap-3 border-line border-t py-4 text-faint text-small">
        <Logo className="h-5 shrink-0 text-soft" />
        <span>Credentials are stored encrypted and never shown to anyone.</span>
      </footer>
    </div>
  )
}

export const Waiting = () => (
  <Frame title="Loading…">
    <div className="card mt-6 grid gap-4 p-6" role="status">
      <span className="sr-only">Loading…</span>
      <Skeleton className="h-4 w-2/3" />
      <Skeleton className="h-4 w-1/2" />
      <Skeleton className="h-10 w-full" />
    </div>
  </Frame>
)

/**
 * A link that names nothing, or a service that does not answer.
 * Used, replaced and unknown links cannot be told apart, on purpose.
 */
export function Trouble({ error, gone, again }: { error: unknown; gone: ReactNode; again: () => void }) {
  const isGone = error instanceof ProblemError && (error.status === 404 || error.status === 400)
  if (isGone) return gone
  const { title, detail } = explain(error)
  return (
    <Frame title={title} lead={<p>{detail}</p>} mark={{ icon: 'alert' }}>
      <Button look="primary" className="mt-6" onClick={again}>
        Try again
      </Button>
    </Frame>
  )
}
