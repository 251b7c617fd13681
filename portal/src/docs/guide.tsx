import { Link, useParams } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { Icon } from '../design/icons.tsx'
import { guides, guideText } from './guides/index.ts'
import { Missing } from './missing.tsx'
import { DocsPage } from './page.tsx'
import { Prose } from './prose.tsx'
import { headingsOf } from './prose-blocks.ts'
import { useServer } from './use-document.ts'

export function GuidePage(): ReactNode {
  const { guide: slug } = useParams({ from: '/docs/guides/$guide' })
  const server = useServer()
  useHashInSight(slug)
  const at = guides.findIndex((one) => one.slug === slug)
  const guide = guides[at]
  if (!guide) return <Missing what="guide" />
  const headings = headingsOf(guide.text)
  return (
    <div className="flex gap-8">
      <div className="min-w-0 max-w-3xl flex-1">
        <DocsPage title={guide.title} lead={guide.lead}>
          <Prose text={guideText(guide, server)} />
          <Neighbours before={guides[at - 1]} after={guides[at + 1]} />
        </DocsPage>
      </div>
      {headings.length > 1 && (
        <nav aria-label="On this page" className="sticky top-20 w-48 shrink-0 self-start max-2xl:hidden">
          <p className="mb-2 font-semibold text-small">On this page</p>
          <ul className="grid gap-1.5 border-line border-l pl-3 text-small">
            {headings.map(({ id, text }) => (
              <li key={id}>
                <a href={`#${id}`} className="text-soft hover:text-ink hover:underline">
                  {text}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </div>
  )
}

type Neighbour = (typeof guides)[number] | undefined

const Neighbours = ({ before, after }: { before: Neighbour; after: Neighbour }) => (
  <nav aria-label="Next guide" className="mt-6 flex flex-wrap justify-between gap-3 border-line border-t pt-5">
    {before ? (
      <Link to="/docs/guides/$guide" params={{ guide: before.slug }} className="link inline-flex items-center gap-1.5">
        <Icon name="next" className="rotate-180" /> {before.title}
      </Link>
    ) : (
      <span />
    )}
    {after && (
      <Link to="/docs/guides/$guide" params={{ guide: after.slug }} className="link inline-flex items-center gap-1.5">
        {after.title} <Icon name="next" />
      </Link>
    )}
  </nav>
)

/** When the browser looked for what the address names, it was not there yet. */
function useHashInSight(page: string) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each page
  useEffect(() => {
    if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView()
  }, [page])
}
