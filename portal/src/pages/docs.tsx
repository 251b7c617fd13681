import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { client } from '../api.ts'
import { Empty } from '../design/empty.tsx'
import { TextField } from '../design/field.tsx'
import { Loaded } from '../design/loaded.tsx'
import { Logo } from '../design/logo.tsx'
import { spoken } from '../format.ts'
import { entriesOf, found, type OpenApiDocument } from '../openapi.ts'
import { ThemeMenu } from '../shell/theme-menu.tsx'
import { DocsAgents } from './docs-agents.tsx'
import { DocsOperation, Marked } from './docs-operation.tsx'

const description = {
  queryKey: ['getOpenApi'],
  queryFn: async () => (await client.getOpenApi()) as unknown as OpenApiDocument,
  staleTime: Infinity,
}

/** The API, readable: made from the service's own description, so that it cannot say anything else. */
export function Docs() {
  const query = useQuery(description)
  return (
    <div className="mx-auto min-h-dvh max-w-6xl px-4 sm:px-6">
      <title>API reference · Adjoin</title>
      <header className="flex items-center justify-between py-4">
        <Link to="/" className="rounded-small" aria-label="Adjoin, start page">
          <Logo />
        </Link>
        <ThemeMenu />
      </header>
      <Loaded query={query}>{(document) => <Reference document={document} />}</Loaded>
    </div>
  )
}

function Reference({ document }: { document: OpenApiDocument }) {
  const [typed, setTyped] = useState('')
  useEffect(() => {
    showNamed()
    addEventListener('hashchange', showNamed)
    return () => removeEventListener('hashchange', showNamed)
  }, [])
  const entries = entriesOf(document).filter((entry) => found(entry, typed.trim()))
  const groups = document.tags
    .map((tag) => ({ ...tag, entries: entries.filter(({ tags }) => tags.includes(tag.name)) }))
    .filter((group) => group.entries.length > 0)
  return (
    <div className="grid gap-8 py-4 pb-16 md:grid-cols-[11rem_1fr]">
      <nav aria-label="Groups" className="max-md:hidden md:sticky md:top-6 md:self-start">
        <ul className="grid gap-0.5">
          <li>
            <a href="#agents" className="block rounded-small px-2.5 py-1.5 text-soft hover:bg-sunken hover:text-ink">
              Agents
            </a>
          </li>
          {groups.map(({ name, entries }) => (
            <li key={name}>
              <a
                href={`#group-${name}`}
                className="flex justify-between rounded-small px-2.5 py-1.5 text-soft hover:bg-sunken hover:text-ink"
              >
                {titleOf(name)} <span className="text-faint">{entries.length}</span>
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <main className="grid min-w-0 gap-8">
        <div className="grid gap-3">
          <h1 className="font-semibold text-title tracking-tight">API reference</h1>
          <p className="max-w-2xl text-soft">
            <Marked text={document.info.description ?? ''} /> Version {document.info.version};{' '}
            <a href="/openapi.json" className="link">
              OpenAPI document
            </a>
            .
          </p>
          <div className="max-w-sm">
            <TextField
              name="search"
              type="search"
              label="Search operations"
              hideLabel
              placeholder="Search: rotate, POST integrations, audit…"
              autoComplete="off"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          </div>
        </div>
        {typed.trim() === '' && <DocsAgents />}
        {groups.map(({ name, description, entries }) => (
          <section key={name} aria-labelledby={`group-${name}`} className="grid scroll-mt-6 gap-3">
            <div>
              <h2 id={`group-${name}`} className="scroll-mt-6 font-semibold text-large">
                {titleOf(name)}
              </h2>
              <p className="text-soft">{description}.</p>
            </div>
            <div className="card divide-y divide-line overflow-clip">
              {entries.map((entry) => (
                <DocsOperation key={entry.operationId} document={document} entry={entry} />
              ))}
            </div>
          </section>
        ))}
        {groups.length === 0 && (
          <div className="card">
            <Empty icon="search" title="No matching operations">
              Search by what an operation does, part of its path, or its method.
            </Empty>
          </div>
        )}
      </main>
    </div>
  )
}

/**
 * The operation that the address names is opened and brought into sight;
 * when the browser looked for it, it was not there yet.
 */
function showNamed() {
  const named = window.document.getElementById(location.hash.slice(1))
  if (named instanceof HTMLDetailsElement) named.open = true
  named?.scrollIntoView()
}

const titleOf = (name: string) => (name === 'api-keys' ? 'API keys' : spoken(name))
