import type { ReactNode } from 'react'

export type Column<Row> = {
  name: string
  cell: (row: Row) => ReactNode
  /** The first thing of a row on a phone, shown without its name. */
  lead?: boolean
  /** Buttons and menus: no heading is drawn, on a phone they stand at the top right. */
  actions?: boolean
  className?: string
}

/** Rows to scan. On a phone every row becomes a card that names its values. */
export function Table<Row>(props: { label: string; columns: Column<Row>[]; rows: Row[]; id: (row: Row) => string }) {
  const { label, columns, rows, id } = props
  return (
    <table className="w-full border-collapse text-left max-md:block" aria-label={label}>
      <thead className="max-md:sr-only">
        <tr className="border-line border-b">
          {columns.map(({ name, actions }) => (
            <th key={name} scope="col" className="whitespace-nowrap px-3 py-2 font-medium text-faint text-small first:pl-5 last:pr-5">
              {actions ? <span className="sr-only">{name}</span> : name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-md:block">
        {rows.map((row) => (
          <tr
            key={id(row)}
            className="border-line border-b transition-colors last:border-b-0 hover:bg-sunken/50 max-md:relative max-md:grid max-md:gap-1.5 max-md:px-5 max-md:py-4"
          >
            {columns.map(({ name, cell, lead, actions, className = '' }) => {
              const value = cell(row)
              return (
                <td key={name} className={`${actions ? acting : lead ? leading : named} ${className}`}>
                  {!lead && !actions && (
                    <span aria-hidden="true" className="text-faint text-small md:hidden">
                      {name}
                    </span>
                  )}
                  {value}
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const cell = 'px-3 py-2.5 align-middle first:pl-5 last:pr-5 max-md:p-0 max-md:first:pl-0 max-md:last:pr-0'
const leading = `${cell} max-md:pr-12 max-md:last:pr-12`
const named = `${cell} max-md:grid max-md:grid-cols-[7rem_1fr] max-md:items-baseline max-md:justify-items-start max-md:gap-3 max-md:empty:hidden`
const acting = `${cell} text-right max-md:absolute max-md:top-3 max-md:right-4`
