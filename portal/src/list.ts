import { useNavigate, useSearch } from '@tanstack/react-router'
import type { SortOrder } from './design/sort-heading.tsx'
import type { Column, Sorting } from './design/table.tsx'
import { fits } from './search-words.ts'

export type ListFilter<Row> = { name: string; label: string; any: string; of: (row: Row) => string; say?: (value: string) => string }

export type ListRules<Row> = {
  /** For the names in the address, where a page has several lists. */
  prefix?: string
  /** The text of a row that a search looks in. */
  text: (row: Row) => string
  columns: Column<Row>[]
  filters?: ListFilter<Row>[]
  /** Rows that are left out until somebody asks for them, such as revoked keys. */
  isHidden?: (row: Row) => boolean
}

export type ChosenFilter = { name: string; label: string; any: string; value: string; options: [value: string, label: string][] }

const words = new Intl.Collator(undefined, { sensitivity: 'base', numeric: true })

/** Unknown values come last in either order. */
function compare(a: string | number | null, b: string | number | null, order: SortOrder): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  const ascending = typeof a === 'number' && typeof b === 'number' ? a - b : words.compare(String(a), String(b))
  return order === 'ascending' ? ascending : -ascending
}

/** `Last used` → `last-used` */
export const sortName = (column: string): string => column.toLowerCase().replaceAll(' ', '-')

/** The rows that an address asks for: `q`, `sort=name` or `sort=-name`, and the filters by their names. */
export function arranged<Row>(rows: Row[], { text, columns, filters = [] }: ListRules<Row>, asked: (name: string) => string): Row[] {
  const chosen = filters.filter(({ name }) => asked(name))
  const found = rows.filter((row) => fits(text(row), asked('q')) && chosen.every(({ name, of }) => of(row) === asked(name)))
  const order = asked('sort').startsWith('-') ? 'descending' : 'ascending'
  const key = columns.find(({ name }) => sortName(name) === asked('sort').replace('-', ''))?.sort
  return key ? found.toSorted((a, b) => compare(key(a), key(b), order)) : found
}

/** Search, filters and order are in the address: a link or a reload shows the same list. */
export function useList<Row>(every: Row[], rules: ListRules<Row>) {
  const { prefix = '', columns, filters = [], isHidden = () => false } = rules
  const search: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const asked = (name: string) => {
    const value = search[prefix + name]
    return typeof value === 'string' ? value : ''
  }
  const set = (next: Record<string, string | undefined>) => {
    const named = Object.fromEntries(Object.entries(next).map(([name, value]) => [prefix + name, value]))
    // Each page has its own names; what else is in the address stays as it is.
    const search = ((before: object) => ({ ...before, ...named })) as never
    void navigate({ to: '.', search, replace: true, resetScroll: false })
  }
  const showsHidden = asked('all') !== ''
  const all = showsHidden ? every : every.filter((row) => !isHidden(row))
  const [sorted, order] = [asked('sort').replace('-', ''), asked('sort').startsWith('-') ? 'descending' : 'ascending'] as const
  const sorting: Sorting = {
    of: (column) => (sortName(column) === sorted ? order : undefined),
    names: columns.filter(({ sort }) => sort).map(({ name }) => name),
    // Ascending, descending, then back to the order of the service.
    onSort: (column) => {
      const name = sortName(column)
      set({ sort: name !== sorted ? name : order === 'ascending' ? `-${name}` : undefined })
    },
    value: asked('sort'),
    onChoose: (value) => set({ sort: value || undefined }),
  }
  return {
    rows: arranged(all, rules, asked),
    total: all.length,
    q: asked('q'),
    sorting,
    filters: filters.map((filter): ChosenFilter => ({ ...filter, value: asked(filter.name), options: optionsOf(all, filter) })),
    hiddenCount: every.filter(isHidden).length,
    showsHidden,
    toggleHidden: () => set({ all: showsHidden ? undefined : 'yes' }),
    isNarrowed: ['q', ...filters.map(({ name }) => name)].some(asked),
    set,
    reset: () => set(Object.fromEntries(['q', ...filters.map(({ name }) => name)].map((name) => [name, undefined]))),
  }
}

export type List<Row> = ReturnType<typeof useList<Row>>

/** Every value that occurs in the rows, with how often it does. */
function optionsOf<Row>(rows: Row[], { of, say = (value) => value }: ListFilter<Row>): ChosenFilter['options'] {
  const counts = new Map<string, number>()
  for (const row of rows) counts.set(of(row), (counts.get(of(row)) ?? 0) + 1)
  const options = [...counts].map(([value, count]): [string, string] => [value, `${say(value)} (${count})`])
  return options.toSorted((a, b) => words.compare(a[1], b[1]))
}
