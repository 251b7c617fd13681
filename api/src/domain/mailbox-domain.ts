import { createRequire } from 'node:module'
import { normalizeDomain } from '@adjoin/contract'
import { internetProvidersEurope } from './mailbox-domains/internet-providers-europe.ts'
import {
  internetProvidersAmericas,
  internetProvidersAsia,
  internetProvidersOceaniaAndAfrica,
} from './mailbox-domains/internet-providers-world.ts'
import { notMailboxes } from './mailbox-domains/not-mailboxes.ts'
import { portals } from './mailbox-domains/portals.ts'
import { relays } from './mailbox-domains/relays.ts'
import { families, services } from './mailbox-domains/services.ts'
import { universities } from './mailbox-domains/universities.ts'

/**
 * Does anybody get a mailbox there? Then the people who have one are no colleagues.
 * What is above decides: `post.gmail.com` counts as
 * `gmail.com`, and an alias host such as `ada.anonaddy.com` as `anonaddy.com`.
 */
export function isPublicMailbox(spelled: string): boolean {
  const domain = normalizeDomain(spelled)
  if (!domain) return false
  if (OF_A_UNIVERSITY.test(domain)) return true
  const labels = domain.split('.')
  return labels.slice(0, -1).some((_, at) => isListed(labels.slice(at).join('.')))
}

/** `alumni.stanford.edu`, `students.unimelb.edu.au`: an address for everyone who is or was there. */
const OF_A_UNIVERSITY = /(?:^|\.)(?:alum|alumn[aio]|alumnae|alumnos|students?|stud)\.(?:[a-z0-9-]+\.)+(?:edu|(?:edu|ac)\.[a-z]{2})$/

let lists: readonly ReadonlySet<string>[] | undefined

/** Read when somebody first signs up, or in: 70,000 names, 7 MB that most processes never need. */
function isListed(domain: string): boolean {
  lists ??= [...ownLists(), ...importedLists()]
  return lists.some((list) => list.has(domain)) && !exempt.has(domain)
}

const words = (groups: Record<string, string>) => Object.values(groups).flatMap((text) => text.trim().split(/\s+/))

const exempt = new Set(words(notMailboxes))

function ownLists(): Set<string>[] {
  const branches = Object.entries(families).flatMap(([name, endings]) => words({ endings }).map((ending) => `${name}.${ending}`))
  const groups = [
    services,
    relays,
    portals,
    internetProvidersEurope,
    internetProvidersAsia,
    internetProvidersAmericas,
    internetProvidersOceaniaAndAfrica,
    universities,
  ]
  return [new Set([...branches, ...groups.flatMap(words)])]
}

/** Lists that others maintain: mailbox providers, and throw-away addresses twice. Only their data is used. */
function importedLists(): ReadonlySet<string>[] {
  const read = createRequire(import.meta.url)
  const providers: string[] = read('email-providers/all.json')
  const { disposableEmailBlocklistSet } = read('disposable-email-domains-js') as { disposableEmailBlocklistSet(): Set<string> }
  const { blacklist } = read('mailchecker') as { blacklist(): Set<string> }
  return [new Set(providers.map(asCompared)), disposableEmailBlocklistSet(), blacklist()]
}

const asCompared = (name: string) => (/^[a-z0-9.-]+$/.test(name) ? name : (normalizeDomain(name) ?? name))
