import { useEffect, useState } from 'react'
import { Badge } from '../design/badge.tsx'
import { Button } from '../design/button.tsx'
import { type CallAnswer, durationInWords, MOST_BYTES, MOST_SHOWN, shownText, sizeInWords } from '../run-call.ts'

/** What an ad system answered: how it ended, how long it took, and as much of it as one can read here. */
export function CallAnswerView({ answer, providerName }: { answer: CallAnswer; providerName: string }) {
  const [shown, setShown] = useState<Awaited<ReturnType<typeof shownText>>>()
  useEffect(() => {
    let isCurrent = true
    void shownText(answer).then((text) => isCurrent && setShown(text))
    return () => {
      isCurrent = false
    }
  }, [answer])
  const { status, milliseconds, size, isCut, bytes } = answer
  const fine = status < 400
  return (
    <section className="grid min-w-0 gap-2" aria-label="Response">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-small text-soft" role="status">
          <Badge tone={fine ? 'good' : 'bad'}>{fine ? `${status} OK` : `${status} Refused`}</Badge>
          <span>
            {fine ? `${providerName} answered` : `${providerName} refused the call`} in {durationInWords(milliseconds)}
          </span>
          <span>{sizeInWords(size)}</span>
        </p>
        {size > 0 && (
          <Button size="small" onClick={() => download(bytes, answer.type)}>
            Download
          </Button>
        )}
      </div>
      {shown && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no pointer scrolls it with the keyboard
        <pre tabIndex={0} className="max-h-96 overflow-auto rounded-base bg-sunken px-3.5 py-3 font-mono text-tiny">
          {shown.text || 'The response has no content.'}
        </pre>
      )}
      {shown?.isShortened && (
        <p className="text-faint text-small">This is the first {sizeInWords(MOST_SHOWN)}. Download it to see everything.</p>
      )}
      {isCut && (
        <p className="text-faint text-small">
          The response is larger than {sizeInWords(MOST_BYTES)}, and the rest was not read. Use curl or the CLI to get all of it.
        </p>
      )}
    </section>
  )
}

function download(bytes: Blob, type: string): void {
  const link = document.createElement('a')
  // Never opened on this page: only kept.
  link.href = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }))
  link.download = `response.${type.includes('json') ? 'json' : type.includes('csv') ? 'csv' : 'txt'}`
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
