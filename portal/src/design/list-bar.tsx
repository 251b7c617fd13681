import { type ChosenFilter, type List, sortName } from '../list.ts'
import { Button } from './button.tsx'
import { Empty } from './empty.tsx'
import { InlineSelect } from './inline-select.tsx'
import { SearchBox } from './search-box.tsx'

/** Fewer are seen at one glance. */
const WORTH = 5

type ListBarProps<Row> = { list: List<Row> /** `members` */; of: string; placeholder: string }

/** What a list is searched, narrowed and, on a phone, sorted with. */
export function ListBar<Row>({ list, of, placeholder }: ListBarProps<Row>) {
  const { sorting, set, isNarrowed, total } = list
  if (total < WORTH && !isNarrowed) return null
  return (
    <search className="grid grid-cols-2 items-center gap-2 border-line border-b px-5 py-3 sm:flex sm:flex-wrap">
      <SearchBox label={`Search ${of}`} placeholder={placeholder} q={list.q} onSearch={(q) => set({ q })} className="col-span-2" />
      {list.filters.map((filter) => (
        <Filter key={filter.name} filter={filter} onChoose={(value) => set({ [filter.name]: value || undefined })} />
      ))}
      <span className="contents md:hidden">
        <InlineSelect
          aria-label={`Sort ${of}`}
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

/** In place of the rows, where none is left. */
export const NoneFound = <Row,>({ list, of }: { list: List<Row>; of: string }) => (
  <Empty icon="search" title={`No matching ${of}`} action={<Button onClick={list.reset}>Show all {list.total.toLocaleString()}</Button>}>
    Try another word or remove a filter.
  </Empty>
)
