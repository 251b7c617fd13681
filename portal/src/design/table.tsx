import type { ReactNode } from 'react'
import { SortHeading, type SortOrder } from './sort-heading.tsx'

export type Column<Row> = {
  name: string
  cell: (row: Row) => ReactNode
  /** The first thing of a row on a phone, shown without its name. A link in it opens from anywhere in the row. */
  lead?: boolean
  /** Buttons and menus: no heading is drawn, on a phone they stand at the top right. */
  actions?: boolean
  /** Something in it is clicked for itself, not to open the row. */
  control?: boolean
  /** Understood without its name: on a phone such values share a line. */
  bare?: boolean
  /** Left out where there is little room. */
  minor?: boolean
  /** What rows are sorted by; unknown ones come last. */
  sort?: (row: Row) => string | number | null
  className?: string
}

export type Sorting = {
  of: (column: string) => SortOrder | undefined
  onSort: (column: string) => void
  /** As the address has it, for a choice in place of headings. */
  names: string[]
  value: string
  onChoose: (value: string) => void
}

type TableProps<Row> = {
  label: string
  columns: Column<Row>[]
  rows: Row[]
  id: (row: Row) => string
  sorting?: Sorting
  /** Each row is a line high: what is too long for it is cut off. */
  oneLine?: boolean
}

/** Rows to scan. On a phone every row becomes a card that names its values. */
export function Table<Row>({ label, columns, rows, id, sorting, oneLine = false }: TableProps<Row>) {
  return (
    <table className="w-full border-collapse text-left max-md:block" aria-label={label}>
      <thead className="max-md:sr-only">
        <tr className="border-line border-b">
          {columns.map(({ name, actions, sort }) =>
            sort && sorting ? (
              <SortHeading
                key={name}
                name={name}
                className="px-3 py-2 first:pl-5 last:pr-5"
                sorted={sorting.of(name)}
                onSort={() => sorting.onSort(name)}
              />
            ) : (
              <th key={name} scope="col" className="whitespace-nowrap px-3 py-2 font-medium text-faint text-small first:pl-5 last:pr-5">
                {actions ? <span className="sr-only">{name}</span> : name}
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody className="max-md:block">
        {rows.map((row) => (
          <tr
            key={id(row)}
            className="relative border-line border-b transition-colors last:border-b-0 focus-within:bg-sunken/50 hover:bg-sunken/50 max-md:flex max-md:flex-wrap max-md:items-center max-md:gap-x-3 max-md:gap-y-1.5 max-md:px-5 max-md:py-3"
          >
            {columns.map((column) => (
              <td key={column.name} className={`${lookOf(column)} ${oneLine ? (column.lead ? cutOff : unwrapped) : ''}`}>
                {!column.lead && !column.actions && !column.bare && (
                  <span aria-hidden="true" className="text-faint text-small md:hidden">
                    {column.name}
                  </span>
                )}
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const cell = 'px-3 py-2 align-middle first:pl-5 last:pr-5 max-md:p-0 max-md:first:pl-0 max-md:last:pr-0'
const leading = 'max-md:min-w-0 max-md:basis-full max-md:pr-12 max-md:last:pr-12 [&_a]:after:absolute [&_a]:after:inset-0'
/** The others take the room they need; it takes what they leave. */
const cutOff = 'md:w-2/5 md:max-w-0'
const unwrapped = 'md:whitespace-nowrap md:[&_.flex-wrap]:flex-nowrap'
const named =
  'max-md:grid max-md:basis-full max-md:grid-cols-[7rem_1fr] max-md:items-baseline max-md:justify-items-start max-md:gap-3 max-md:empty:hidden'
const acting = 'w-px whitespace-nowrap text-right max-md:absolute max-md:top-2 max-md:right-3 max-md:w-auto'
/** Above the link that covers the row. */
const above = '[&>*]:relative [&>*]:z-10'

const lookOf = <Row,>({ lead, actions, control, bare, minor, className = '' }: Column<Row>) => {
  const kind = lead ? leading : actions ? acting : minor ? 'max-lg:hidden' : bare ? 'max-md:text-small max-md:empty:hidden' : named
  return `${cell} ${kind} ${actions || control ? above : ''} ${className}`
}
