import { Icon } from './icons.tsx'

export type SortOrder = 'ascending' | 'descending'
type SortHeadingProps = { name: string; className?: string; sorted: SortOrder | undefined; onSort: () => void; title?: string }

/** The heading of a column that rows can be sorted by. */
export const SortHeading = ({ name, className = '', sorted, onSort, title = `Sort by ${name.toLowerCase()}` }: SortHeadingProps) => (
  <th scope="col" aria-sort={sorted} className={`font-medium text-faint text-small ${className}`}>
    <button
      type="button"
      onClick={onSort}
      title={title}
      className={`group inline-flex items-center gap-1 whitespace-nowrap rounded-small hover:text-ink ${sorted ? 'text-ink' : ''}`}
    >
      {name}
      <Icon
        name="chevron"
        className={`${sorted === 'descending' ? '' : 'rotate-180'} ${sorted ? '' : 'opacity-0 group-hover:opacity-60'}`}
      />
    </button>
  </th>
)
