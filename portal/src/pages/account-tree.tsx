import { useDeferredValue, useEffect, useRef, useState } from 'react'
import { Badge } from '../design/badge.tsx'
import { TextField } from '../design/field.tsx'
import { type AccountRow, foundRows, toggled } from '../fence.ts'
import { plural } from '../format.ts'

const MOST_ROWS = 200
const indents = ['', 'pl-9', 'pl-14', 'pl-19']

type TreeProps = {
  rows: AccountRow[]
  /** With tick boxes; else with what the policy allows. */
  chosen?: ReadonlySet<string> | undefined
  onChoose?: (chosen: Set<string>) => void
}

/** What a connection reaches, each account below its manager, found by name or ID. */
export function AccountTree({ rows, chosen, onChoose }: TreeProps) {
  const [search, setSearch] = useState('')
  const found = foundRows(rows, useDeferredValue(search))
  return (
    <div className="grid min-w-0 gap-3">
      {rows.length > 8 && (
        <TextField
          name="search"
          type="search"
          label="Search accounts"
          hideLabel
          placeholder="Search by name or ID"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no pointer scrolls it with the keyboard */}
      <section tabIndex={0} aria-label="Accounts of this connection" className="max-h-96 overflow-auto rounded-base border border-line">
        <ul>
          {found.slice(0, MOST_ROWS).map((row) => (
            <li key={row.key} className={`border-line border-b px-3.5 py-2 last:border-b-0 ${indents[Math.min(row.depth, 3)]}`}>
              {chosen && onChoose ? (
                <TickBox row={row} chosen={chosen} onChange={(on) => onChoose(toggled(chosen, row, on))} />
              ) : (
                <AccountName row={row} />
              )}
            </li>
          ))}
        </ul>
      </section>
      <p className="text-faint text-small" role="status">
        {found.length === 0 && 'No account matches.'}
        {found.length > MOST_ROWS && `Showing ${MOST_ROWS} of ${plural(found.length, 'account')}. Search to find the others.`}
      </p>
    </div>
  )
}

const AccountName = ({ row: { account, parent, isLeaf } }: { row: AccountRow }) => (
  <span className="flex min-w-0 flex-wrap items-baseline gap-x-2.5">
    <span className="wrap-anywhere">{account.name || account.id}</span>
    <span className="wrap-anywhere text-faint text-small">
      {account.id}
      {!isLeaf && `, ${account.kind}`}
      {account.currency && `, ${account.currency}`}
      {account.status && `, ${account.status.toLowerCase()}`}
    </span>
    {parent && <span className="sr-only">below {parent}</span>}
    {isLeaf && !account.inFence && <Badge>not allowed</Badge>}
  </span>
)

/** That of a manager stands for all accounts below it. */
function TickBox({ row, chosen, onChange }: { row: AccountRow; chosen: ReadonlySet<string>; onChange: (on: boolean) => void }) {
  const box = useRef<HTMLInputElement>(null)
  const count = row.leaves.filter((id) => chosen.has(id)).length
  const all = count === row.leaves.length
  useEffect(() => {
    if (box.current) box.current.indeterminate = count > 0 && !all
  }, [count, all])
  return (
    <label className="flex items-start gap-2.5">
      <input ref={box} type="checkbox" checked={all} onChange={() => onChange(!all)} className="mt-1 accent-accent" />
      <AccountName row={row} />
    </label>
  )
}
