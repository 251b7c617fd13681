import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { Badge } from '../design/badge.tsx'
import { durationInWords, MOST_SHOWN, shownText, sizeInWords } from '../run-call.ts'
import { Code } from './code-tabs.tsx'
import { errorFacts } from './data.ts'
import type { TryAnswer } from './send.ts'

/** What came back: status, headers and body, and where to read about it if it is an error. */
export function TryAnswerView({ answer }: { answer: TryAnswer }) {
  const [shown, setShown] = useState<Awaited<ReturnType<typeof shownText>>>()
  useEffect(() => {
    let isCurrent = true
    void shownText(answer).then((text) => isCurrent && setShown(text))
    return () => {
      isCurrent = false
    }
  }, [answer])
  const { status, statusText, milliseconds, size, headers } = answer
  const code = /"code": "(\w+)"/.exec(shown?.text ?? '')?.[1]
  const known = errorFacts.find((one) => one.code === code && one.status === status)
  return (
    <section aria-label="Response" className="grid grid-cols-[minmax(0,1fr)] gap-3 border-line border-t pt-4">
      <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-small text-soft" role="status">
        <Badge tone={status < 400 ? 'good' : 'bad'}>
          {status} {statusText}
        </Badge>
        <span>in {durationInWords(milliseconds)}</span>
        <span>{sizeInWords(size)}</span>
      </p>
      {known && (
        <p className="text-small">
          <Link to="/docs/errors/$code" params={{ code: known.code }} className="link">
            What {known.code} means
          </Link>
        </p>
      )}
      {shown?.text ? (
        <Code text={shown.text} label="Response body" title="Body" />
      ) : (
        <p className="text-soft">{size ? 'The response is not text.' : 'The response has no content.'}</p>
      )}
      {shown?.isShortened && <p className="text-faint text-small">This is the first {sizeInWords(MOST_SHOWN)}.</p>}
      <details>
        <summary className="w-max rounded-small text-accent text-small">Headers ({headers.length})</summary>
        <dl className="mt-2 grid gap-1 font-mono text-tiny">
          {headers.map(([name, value]) => (
            <div key={name} className="wrap-anywhere">
              <dt className="inline text-faint">{name}: </dt>
              <dd className="inline">{value}</dd>
            </div>
          ))}
        </dl>
      </details>
    </section>
  )
}
