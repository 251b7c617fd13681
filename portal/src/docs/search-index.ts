import { spoken } from '../format.ts'
import { fits } from '../search-words.ts'
import { errorFacts, providerFacts } from './data.ts'
import { entriesOf, type OpenApiDocument } from './document.ts'
import { guides } from './guides/index.ts'
import { headingsOf } from './prose-blocks.ts'

export type Found = {
  kind: 'Guides' | 'Operations' | 'Ad systems' | 'Errors'
  name: string
  /** What tells it apart from others. */
  detail: string
  /** Where it is. */
  to: string
  hash?: string
  /** Everything it is found by. */
  text: string
  method?: string
  provider?: { provider: string; category: 'wg' | 'dsp' | 'ssp' }
}

const guideEntries = (): Found[] =>
  guides.flatMap(({ slug, title, lead, text }) => [
    { kind: 'Guides' as const, name: title, detail: lead, to: `/docs/guides/${slug}`, text: `${title} ${lead}` },
    ...headingsOf(text).map((heading) => ({
      kind: 'Guides' as const,
      name: heading.text,
      detail: title,
      to: `/docs/guides/${slug}`,
      hash: heading.id,
      text: `${heading.text} ${title}`,
    })),
  ])

const operationEntries = (document: OpenApiDocument): Found[] =>
  entriesOf(document).map(({ operationId, method, path, summary, tags }) => ({
    kind: 'Operations',
    name: summary,
    detail: operationId,
    to: `/docs/reference/${operationId}`,
    text: `${operationId} ${spoken(operationId)} ${summary} ${method} ${path} ${tags.join(' ')}`,
    method,
  }))

const providerEntries = (): Found[] =>
  providerFacts.map(({ provider, providerName, category, gateway }) => ({
    kind: 'Ad systems',
    name: providerName,
    detail: provider,
    to: `/docs/providers/${provider}`,
    text: `${providerName} ${provider} ${gateway?.hosts.join(' ') ?? ''}`,
    provider: { provider, category },
  }))

const errorEntries = (): Found[] =>
  errorFacts.map(({ code, status, title, detail }) => ({
    kind: 'Errors',
    name: code,
    detail: `${status} ${title}`,
    to: `/docs/errors/${code}`,
    text: `${code} ${code.replaceAll('_', ' ')} ${status} ${title} ${detail ?? ''}`,
  }))

export const indexOf = (document: OpenApiDocument | undefined): Found[] => [
  ...guideEntries(),
  ...(document ? operationEntries(document) : []),
  ...providerEntries(),
  ...errorEntries(),
]

const MOST = 40

/** Best first: the name itself, then a name that begins so, then whatever has all the words. */
export function searched(index: readonly Found[], typed: string): Found[] {
  const wanted = typed.trim().toLowerCase()
  if (!wanted) return index.filter(({ kind, hash }) => kind === 'Guides' && !hash)
  const rank = ({ name, detail, text }: Found): number => {
    const names = [name.toLowerCase(), detail.toLowerCase()]
    if (names.includes(wanted)) return 0
    if (names.some((one) => one.startsWith(wanted))) return 1
    return fits(name, typed) ? 2 : fits(text, typed) || text.toLowerCase().includes(wanted) ? 3 : 4
  }
  return index
    .map((entry) => ({ entry, at: rank(entry) }))
    .filter(({ at }) => at < 4)
    .sort((a, b) => a.at - b.at)
    .slice(0, MOST)
    .map(({ entry }) => entry)
}
