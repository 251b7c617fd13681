// The search itself; in each place it must also find a secret that was put there for it to find.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HeardExchange } from '../../api/test/answers.ts'
import type { ProofDatabase } from '../database.ts'
import type { Finding } from '../finding.ts'
import { type Canary, type CanaryLedger, codesIn, createLedger, isCode } from './canaries.ts'
import { createSearch, formsOf, type Hit } from './needles.ts'
import type { Admin } from './people.ts'
import { backup, dump, files, shown } from './places.ts'
import type { PostOffice } from './post-office.ts'
import type { RunningService } from './running.ts'

export interface SearchScope {
  readonly ledger: CanaryLedger
  readonly database: ProofDatabase
  readonly post: PostOffice
  readonly exchanges: () => HeardExchange[]
  readonly services: readonly RunningService[]
  readonly admins: readonly Admin[]
  readonly url: string
  readonly env: Record<string, string>
  readonly folder: string
}

/** The search on what it must find: every spelling of a secret, in the middle of other bytes. */
export function spellings(): Finding {
  const text = createLedger().make('a control')
  const search = createSearch([{ what: 'a control', text }])
  const missed = formsOf(text).filter(
    ([form, bytes]) => !search.find(Buffer.concat([Buffer.from('noise\0'), bytes, Buffer.from('noise')])).some((hit) => hit.form === form),
  )
  const found = missed.map(([form]) => form).join(', ')
  return {
    tried: `${formsOf(text).length} spellings of a secret, planted in other bytes`,
    found: found ? `missed: ${found}` : 'each found',
    good: !missed.length,
  }
}

export async function* searchEverywhere(scope: SearchScope): AsyncGenerator<Finding> {
  const { ledger, database, post, exchanges, services, admins, url, env, folder } = scope
  const planted = await plant(scope)
  const all = ledger.all()
  const [codes, canaries] = [all.filter(isCode), all.filter((canary) => !isCode(canary))]
  const search = createSearch([...canaries, planted])
  const kinds = new Set(canaries.map(({ what }) => what))
  yield {
    tried: `${all.length} secrets of ${kinds.size} kinds in ${search.count} spellings`,
    found: `${[...kinds].slice(0, 8).join(', ')} …`,
    good: all.length >= 50,
  }
  const judged = (place: string, size: number, hits: Hit[], more: string[] = []): Finding => {
    const control = hits.some(({ what }) => what === planted.what)
    const leaks = [...new Set([...hits.filter(({ what }) => what !== planted.what).map(({ what, form }) => `${what} (${form})`), ...more])]
    return {
      tried: `${place}, ${(size / 1024).toFixed(0)} KiB`,
      found: `${leaks.length} secrets${leaks.length ? `: ${leaks.slice(0, 8).join('; ')}` : ''}; the planted one ${control ? 'found' : 'NOT found'}`,
      good: !leaks.length && control,
    }
  }
  const codesOf = (text: string) => codesIn(codes, text).map(({ what }) => what)
  const byName = new Map<string, Canary[]>()
  for (const canary of all) byName.set(canary.what, [...(byName.get(canary.what) ?? []), canary])
  /** Of the secrets of one name: those that are here and may not be. */
  const unless = (hits: Hit[], text: string, allowed: (canary: Canary) => boolean) =>
    hits.filter(
      ({ what }) =>
        !byName.has(what) ||
        byName.get(what)!.some((canary) => text.includes(canary.text) && !allowed(canary)) ||
        !byName.get(what)!.some((canary) => text.includes(canary.text)),
    )

  const texts = exchanges().map((exchange) => ({ exchange, text: shown(exchange) }))
  const inAnswers = texts.flatMap(({ exchange, text }) =>
    unless(search.find(text), text, (canary) => canary.shownIn?.(exchange) === true).map((hit) => ({
      ...hit,
      what: hit.what === planted.what ? hit.what : `${hit.what} in ${exchange.operation} ${exchange.status}`,
    })),
  )
  const codesInAnswers = texts.flatMap(({ exchange, text }) =>
    codesOf(text.slice(text.indexOf('\n{'))).map((what) => `${what} in ${exchange.operation}`),
  )
  const log = services.map((service) => service.output().toString()).join('')
  const times = (text: string) => log.split(text).length - 1
  const mishaps = [texts.filter(({ text }) => text.includes('You said')).length, times('is not known here'), times('"unexpected error"')]
  yield {
    tried: 'what went wrong on purpose',
    found: `${mishaps[0]} answers quote a vendor that repeats what it was sent, ${mishaps[1]} lines of the log a mail server that does, ${mishaps[2]} tell of a broken database`,
    good: mishaps.every((count) => count > 0),
  }
  yield judged(
    `${texts.length} answers, but for those that are there to show a secret`,
    sum(texts.map(({ text }) => text)),
    inAnswers,
    codesInAnswers,
  )

  if (!services.every((service) => service.output().includes('"level":"info"'))) throw new Error('a process wrote no log')
  const logs = Buffer.concat([...services.map((service) => service.output()), Buffer.from(`{"planted":"${planted.text}"}\n`)])
  yield judged(
    'all that the services wrote to stdout and stderr at LOG_LEVEL=trace',
    logs.length,
    search.find(logs),
    codesOf(logs.toString()),
  )

  const letters = post.letters.map(({ to, source, text }) => ({ to, text: `${source}\n${text}` }))
  const inLetters = letters.flatMap(({ to, text }) => unless(search.find(text), text, (canary) => canary.mailedTo === to))
  const codesInLetters = letters.flatMap(({ to, text }) =>
    codesIn(
      codes.filter(({ mailedTo }) => mailedTo !== to),
      text.slice(text.indexOf('\r\n\r\n')),
    ).map(({ what }) => what),
  )
  yield judged(
    `${letters.length} mails, but for what each of them is about`,
    sum(letters.map(({ text }) => text)),
    inLetters,
    codesInLetters,
  )

  const trail: Record<string, string> = {
    'the audit trail, page by page': '',
    'the audit trail as exported': '',
    'the audit trail as CSV': '',
  }
  for (const [n, { token }] of admins.entries()) {
    const get = async (path: string) =>
      (await fetch(`${url}/v1/organizations/agency-${n}/audit-logs${path}`, { headers: { authorization: `Bearer ${token}` } })).text()
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await get(`?limit=200${cursor && `&cursor=${cursor}`}`)
      trail['the audit trail, page by page'] += page
      cursor = (JSON.parse(page) as { nextCursor: string | null }).nextCursor
    }
    trail['the audit trail as exported'] += await get('/export?format=ndjson')
    trail['the audit trail as CSV'] += await get('/export?format=csv')
  }
  for (const [place, text] of Object.entries(trail)) yield judged(place, text.length, search.find(text), codesOf(text))

  const pages = await Promise.all(services.map(async (service) => (await fetch(service.metrics)).text()))
  if (!pages.every((page) => page.includes('adjoin_requests_total'))) throw new Error('a process showed no metrics')
  const metrics = `${pages.join('\n')}\n# ${planted.text}`
  yield judged('the metrics', metrics.length, search.find(metrics))
  const told = services.map(({ pid }) => readFileSync(`/proc/${pid}/cmdline`, 'utf8')).join('\n')
  yield judged('the command lines of the processes', told.length, search.find(`${told} ${planted.text}`))

  const rows = await dump(database)
  yield judged('every row of every table', rows.length, search.find(rows), codesOf(rows.toString('latin1')))
  const { contents, said } = await backup(env, join(folder, 'proof.backup'))
  yield judged('a backup, and what was said while it was made', contents.length, search.find(Buffer.concat([contents, said])))
  const inFiles: Hit[] = []
  let size = 0
  for await (const { name, bytes } of files(database)) {
    size += bytes.length
    const known = name === 'postgres-password' || /password/.test(name)
    inFiles.push(
      ...search
        .find(bytes)
        .filter(({ what }) => !(known && what === 'the password of the database'))
        .map((hit) => ({ ...hit, what: hit.what === planted.what ? hit.what : `${hit.what} in ${name}` })),
    )
  }
  yield judged('the files of PostgreSQL, its write-ahead log and its own log included', size, inFiles)
}

/** A secret of somebody careless: it is their name, so that it must be found wherever names are. */
async function plant({ admins, post }: SearchScope): Promise<Canary> {
  const text = createLedger().make('a control')
  const [admin] = admins as [Admin]
  await admin.client.updateMe({ name: text })
  const to = 'control@elsewhere.example'
  await admin.client.createOrganizationInvitation({ orgSlug: 'agency-0' }, { email: to, role: 'viewer' })
  await post.said(to, /#token=([\w-]{43})/)
  await admin.client.getMe()
  return { what: 'the planted control', text }
}

const sum = (texts: readonly string[]) => texts.reduce((total, { length }) => total + length, 0)
