import type { Receipt } from './link.ts'
import { useSpeech } from './speech.tsx'

/** What software has done with the access since: counted by month, and the newest changes one by one. */
export function ReceiptUse({ receipt: { usage, lastChanges } }: { receipt: Receipt }) {
  const { words, month, moment, number } = useSpeech()
  const { receipt } = words
  return (
    <section className="card mt-4 p-5">
      <h2 className="font-semibold">{receipt.done}</h2>
      {usage.length === 0 ? (
        <p className="mt-2 text-soft">{receipt.nothing}</p>
      ) : (
        <table className="mt-2 w-full text-left">
          <thead className="text-small text-soft">
            <tr>
              <th className="py-1 pr-3 font-normal">{receipt.month}</th>
              <th className="py-1 pr-3 text-right font-normal">{receipt.reads}</th>
              <th className="py-1 text-right font-normal">{receipt.changes}</th>
            </tr>
          </thead>
          <tbody>
            {usage.map(({ month: name, reads, changes }) => (
              <tr key={name} className="border-line border-t">
                <th scope="row" className="py-1.5 pr-3 font-normal">
                  {month(`${name}-01T00:00:00Z`)}
                </th>
                <td className="py-1.5 pr-3 text-right">{number(reads)}</td>
                <td className="py-1.5 text-right">{number(changes)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {lastChanges.length > 0 && (
        <>
          <h3 className="mt-4 font-medium">{receipt.last}</h3>
          <ul className="mt-1 grid gap-2">
            {lastChanges.map(({ at, method, path, account }) => (
              <li key={`${at} ${path}`} className="text-small">
                <span className="text-soft">{[moment(at), account].filter(Boolean).join(' · ')}</span>
                <code className="wrap-anywhere block font-mono text-tiny">{`${method} ${path}`}</code>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}
