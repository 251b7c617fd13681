import { type CheckFilters, kindWords, orderWords, outcomeWords } from '../check-list.ts'
import { Button } from '../design/button.tsx'
import { Icon } from '../design/icons.tsx'
import { InlineSelect } from '../design/inline-select.tsx'
import { dayName } from './check-strip.tsx'

type Props = { filters: CheckFilters; onFilter: (next: CheckFilters) => void }

/** They stand in the address, so that a colleague can be sent to what one sees. */
export function CheckFilterBar({ filters, onFilter }: Props) {
  const select = (name: 'outcome' | 'kind' | 'sort', label: string, any: string, words: Record<string, string>) => (
    <InlineSelect
      aria-label={label}
      className="w-full bg-surface"
      value={filters[name] ?? ''}
      onChange={(event) => onFilter({ [name]: event.target.value || undefined })}
    >
      <option value="">{any}</option>
      {Object.entries(words).map(([value, word]) => (
        <option key={value} value={value}>
          {word}
        </option>
      ))}
    </InlineSelect>
  )
  return (
    <search className="grid grid-cols-2 items-center gap-2 sm:flex sm:flex-wrap">
      <span className="relative col-span-2 grid">
        <Icon name="search" className="pointer-events-none absolute top-1/2 left-2.5 -translate-y-1/2 text-faint" />
        <input
          type="search"
          aria-label="Search checks"
          placeholder="Reason, kind…"
          maxLength={100}
          className="control-small w-full border border-line bg-surface pr-2 pl-8 sm:w-56"
          value={filters.q ?? ''}
          onChange={(event) => onFilter({ q: event.target.value || undefined })}
        />
      </span>
      {select('outcome', 'Result', 'Any result', outcomeWords)}
      {select('kind', 'Kind', 'Any kind', kindWords)}
      {select('sort', 'Order', 'Newest first', orderWords)}
      {filters.day && (
        <Button size="small" aria-label={`Show all days, not only ${dayName(filters.day)}`} onClick={() => onFilter({ day: undefined })}>
          {dayName(filters.day)} <Icon name="close" />
        </Button>
      )}
    </search>
  )
}
