import { Link, useLocation, useParams } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { Icon } from '../design/icons.tsx'
import { ProviderMark } from '../design/provider-mark.tsx'
import { Skeleton } from '../design/skeleton.tsx'
import { providerFacts } from './data.ts'
import { entriesOf, groupTitle, type ListedOperation } from './document.ts'
import { guides } from './guides/index.ts'
import { Method } from './method.tsx'
import { useDocument } from './use-document.ts'

const look =
  'flex min-w-0 items-center gap-2 rounded-small px-2.5 py-1 text-soft hover:bg-sunken hover:text-ink data-[status=active]:bg-accent-tint data-[status=active]:font-medium data-[status=active]:text-accent pointer-coarse:py-2'

/** Everything there is, in the order in which one reads it; what is open stays in sight. */
export function Sidebar() {
  const list = useRef<HTMLDivElement>(null)
  const { pathname } = useLocation()
  const { isSuccess } = useDocument()
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the place changes, and once the operations are there
  useEffect(() => {
    const menu = list.current?.parentElement
    const current = menu?.querySelector('[aria-current=page]')
    if (!menu || !current) return
    const [there, place] = [current.getBoundingClientRect(), menu.getBoundingClientRect()]
    // By hand: `scrollIntoView` would move the page as well.
    if (there.top < place.top || there.bottom > place.bottom) menu.scrollTop += there.top - place.top - place.height / 2
  }, [pathname, isSuccess])
  return (
    <div ref={list} className="grid gap-6">
      <Parts />
    </div>
  )
}

const Parts = () => (
  <>
    <Part title="Guides">
      {guides.map(({ slug, title }) => (
        <li key={slug}>
          <Link to="/docs/guides/$guide" params={{ guide: slug }} className={look}>
            {title}
          </Link>
        </li>
      ))}
    </Part>
    <Part title="API reference">
      <li>
        <Link to="/docs/reference" activeOptions={{ exact: true }} className={look}>
          All operations
        </Link>
      </li>
      <Groups />
      <li>
        <Link to="/docs/errors" className={look}>
          Errors
        </Link>
      </li>
    </Part>
    <Part title="Ad systems">
      <li>
        <Link to="/docs/providers" activeOptions={{ exact: true }} className={look}>
          All ad systems
        </Link>
      </li>
      {providerFacts.map(({ provider, providerName, category }) => (
        <li key={provider}>
          <Link to="/docs/providers/$provider" params={{ provider }} className={look}>
            <ProviderMark provider={provider} category={category} className="size-4.5" />
            <span className="truncate">{providerName}</span>
          </Link>
        </li>
      ))}
    </Part>
  </>
)

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className="grid gap-1">
    <p className="px-2.5 font-semibold text-small">{title}</p>
    <ul className="grid grid-cols-[minmax(0,1fr)] gap-px">{children}</ul>
  </div>
)

/** Groups of operations; the one that is open shows what is in it. */
function Groups() {
  const { data } = useDocument()
  const { operation } = useParams({ strict: false }) as { operation?: string }
  if (!data)
    return ['w-1/2', 'w-2/3', 'w-1/3'].map((width) => (
      <li key={width} className="px-2.5 py-1.5">
        <Skeleton className={`h-4 ${width}`} />
      </li>
    ))
  const entries = entriesOf(data)
  const current = entries.find(({ operationId }) => operationId === operation)?.tags[0]
  return data.tags.map(({ name }) => (
    <Group key={name} name={name} open={name === current} entries={entries.filter(({ tags }) => tags.includes(name))} />
  ))
}

const Group = ({ name, open, entries }: { name: string; open: boolean; entries: ListedOperation[] }) => (
  <li>
    <details open={open} className="group">
      <summary className={`${look} list-none justify-between [&::-webkit-details-marker]:hidden`}>
        {groupTitle(name)}
        <Icon name="chevron" className="-rotate-90 text-faint transition-transform group-open:rotate-0" />
      </summary>
      <ul className="my-1 ml-2.5 grid grid-cols-[minmax(0,1fr)] gap-px border-line border-l pl-1.5">
        {entries.map(({ operationId, method, summary }) => (
          <li key={operationId}>
            <Link to="/docs/reference/$operation" params={{ operation: operationId }} className={`${look} items-baseline text-small`}>
              <Method method={method} short />
              <span className="min-w-0">{summary}</span>
            </Link>
          </li>
        ))}
      </ul>
    </details>
  </li>
)
