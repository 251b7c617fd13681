import { type ChosenFilter, type List, sortName } from '../list.ts'
import { Button } from './button.tsx'
import { Empty } from './empty.tsx'
import { InlineSelect } from './inline-select.tsx'
import { SearchBox } from './search-box.tsx'

/** A shorter list needs no search. */
const MIN_ROWS = 5

type ListBarProps<Row> = { list: List<Row> /** What the rows are, such as `members`. */; noun: string; placeholder: string }

/** Search, filters and, on a phone, the order of a list. */
export function ListBar<Row>({ list, noun, placeholder }: ListBarProps<Row>) {
  const { sorting, set, isNarrowed, total } = list
  if (total < MIN_ROWS && !isNarrowed) return null
  return (
    <search className="grid grid-cols-2 items-center gap-2 border-line border-b px-5 py-3 sm:flex sm:flex-wrap">
      <SearchBox label={`Search ${noun}`} placeholder={placeholder} q={list.q} onSearch={(q) => set({ q })} className="col-span-2" />
      {list.filters.map((filter) => (
        <Filter key={filter.name} filter={filter} onChoose={(value) => set({ [filter.name]: value || undefined })} />
      ))}
      <span className="contents md:hidden">
        <InlineSelect
          aria-label={`Sort ${noun}`}
          className="w-full bg-surface"
          value={sorting.value}
          onChange={(event) => sorting.onChoose(event.target.value)}
        >
          <option value="">Sort by…</option>
          {sorting.names.flatMap((name) => [
            <option key={name} value={sortName(name)}>
              {name}
            </option>,
            <option key={`-${name}`} value={`-${sortName(name)}`}>
              {name}, descending
            </option>,
          ])}
        </InlineSelect>
      </span>
      <span className="ml-auto text-faint text-small max-sm:col-span-2" role="status">
        {isNarrowed && `${list.rows.length} of ${total} shown`}
      </span>
    </search>
  )
}

const Filter = ({ filter, onChoose }: { filter: ChosenFilter; onChoose: (value: string) => void }) => (
  <InlineSelect
    aria-label={filter.label}
    className="w-full bg-surface"
    value={filter.value}
    onChange={(event) => onChoose(event.target.value)}
  >
    <option value="">{filter.any}</option>
    {filter.options.map(([value, label]) => (
      <option key={value} value={value}>
        {label}
      </option>
    ))}
  </InlineSelect>
)

/** Shown instead of the rows when none matches. */
export const NoneFound = <Row,>({ list, noun }: { list: List<Row>; noun: string }) => (
  <Empty icon="search" title={`No matching ${noun}`} action={<Button onClick={list.reset}>Show all {list.total.toLocaleString()}</Button>}>
    Try another word or remove a filter.
  </Empty>
)
