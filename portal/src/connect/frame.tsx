import { ProblemError } from '@adjoin/contract/problem-error'
import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from '../design/button.tsx'
import { Icon, type IconName } from '../design/icons.tsx'
import { Logo } from '../design/logo.tsx'
import { usePhrases } from '../design/phrases.ts'
import { Skeleton } from '../design/skeleton.tsx'
import { LanguageChoice } from './language-choice.tsx'
import { useSpeech } from './speech.tsx'

type FrameProps = { title: string; lead?: ReactNode; mark?: { icon: IconName; good?: boolean }; children?: ReactNode; foot?: ReactNode }

/** A page for someone without an account: one matter, and who is behind it. */
export function Frame({ title, lead, mark, children, foot }: FrameProps) {
  const { words, language } = useSpeech()
  const heading = useRef<HTMLHeadingElement>(null)
  const spoken = useRef(language)
  // What the page is about has changed under the reader: it is read out, and the keyboard begins there.
  // The focus of a person who chose another language stays on that choice.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the title changes
  useEffect(() => {
    if (spoken.current === language) heading.current?.focus({ preventScroll: true })
    spoken.current = language
  }, [title])
  return (
    <div className="grid min-h-dvh grid-cols-[minmax(0,1fr)] grid-rows-[1fr_auto] px-4">
      <title>{`${title} · Adjoin`}</title>
      <main className="mx-auto w-full max-w-lg pt-4 pb-10">
        <div className="mb-[min(4vh,2.5rem)] flex justify-end">
          <LanguageChoice />
        </div>
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
        {lead && <div className="wrap-anywhere mt-1.5 grid gap-2 text-large text-soft">{lead}</div>}
        {children}
        {foot && <div className="wrap-anywhere mt-6 grid gap-2 text-small text-soft">{foot}</div>}
      </main>
      <footer className="mx-auto flex w-full max-w-lg items-center gap-3 border-line border-t py-4 text-faint text-small">
        <Logo className="h-5 shrink-0 text-soft" />
        <span>{words.page.encrypted}</span>
      </footer>
    </div>
  )
}

export function Waiting() {
  const { loading } = useSpeech().words.page
  return (
    <Frame title={loading}>
      <div className="card mt-6 grid gap-4 p-6" role="status">
        <span className="sr-only">{loading}</span>
        <Skeleton className="h-4 w-2/3" />
        <Skeleton className="h-4 w-1/2" />
        <Skeleton className="h-10 w-full" />
      </div>
    </Frame>
  )
}

/**
 * A link that names nothing, or a service that does not answer.
 * Used, replaced and unknown links cannot be told apart, on purpose.
 */
export function Trouble({ error, gone, again }: { error: unknown; gone: ReactNode; again: () => void }) {
  const { words } = useSpeech()
  const { explain } = usePhrases()
  const isGone = error instanceof ProblemError && (error.status === 404 || error.status === 400)
  if (isGone) return gone
  const { title, detail } = explain(error)
  return (
    <Frame title={title} lead={<p>{detail}</p>} mark={{ icon: 'alert' }}>
      <Button look="primary" className="mt-6" onClick={again}>
        {words.page.tryAgain}
      </Button>
    </Frame>
  )
}

/** The one page for links that are used, replaced, canceled or made up. */
export function Gone() {
  const { gone } = useSpeech().words
  return (
    <Frame
      title={gone.title}
      mark={{ icon: 'clock' }}
      lead={
        <>
          <p>{gone.used}</p>
          <p>{gone.done}</p>
        </>
      }
      foot={<p>{gone.ifNot}</p>}
    />
  )
}
