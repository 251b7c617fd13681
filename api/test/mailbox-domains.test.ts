// A work domain is one whose people are colleagues.
// Where anybody gets a mailbox is none, whatever list has it.
import { createRequire } from 'node:module'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isPublicMailbox } from '../src/domain/mailbox-domain.ts'
import * as european from '../src/domain/mailbox-domains/internet-providers-europe.ts'
import * as other from '../src/domain/mailbox-domains/internet-providers-world.ts'
import { portals } from '../src/domain/mailbox-domains/portals.ts'
import { relays } from '../src/domain/mailbox-domains/relays.ts'
import { services } from '../src/domain/mailbox-domains/services.ts'
import { universities } from '../src/domain/mailbox-domains/universities.ts'
import { companyDomains, mailboxDomains } from './mailbox-domains.ts'
import { createWorld, refusal, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ roles: { api: true, jobs: false }, limitsFactor: 1000 })
})
afterAll(() => world.stop())

let slugs = 0
const signUp = (domain: string) =>
  world.client().signUp({
    email: `ada@${domain}`,
    name: 'Ada',
    organizationName: 'Agency',
    organizationSlug: `agency-${++slugs}`,
    provider: 'magic-link',
  })
const refusedWith = async (domain: string) => (await refusal(signUp(domain))).code

describe('a sign-up', () => {
  it.each(Object.entries(mailboxDomains))('is refused at %s', async (_, domains) => {
    const passed: string[] = []
    for (const domain of domains)
      if (
        (await signUp(domain).then(
          () => 'passed',
          ({ code }) => code,
        )) !== 'public_mailbox'
      )
        passed.push(domain)
    expect(passed).toEqual([])
  })

  it('is asked about more than 250 well-known names', () => {
    expect(new Set(Object.values(mailboxDomains).flat()).size).toBeGreaterThan(250)
    expect(new Set(companyDomains).size).toBeGreaterThanOrEqual(60)
  })

  it('is open to companies, also where their name or their ending looks like a mailbox’s', async () => {
    const refused: string[] = []
    for (const domain of companyDomains) await signUp(domain).catch(() => refused.push(domain))
    expect(refused).toEqual([])
  })

  it.each([
    ['ada.anonaddy.com', 'an alias host'],
    ['ada.fastmail.com', 'a name before the at sign’s own host'],
    ['mail.post.gmail.com', 'two hosts below'],
    ['GMAIL.COM', 'case'],
    ['gmail.com.', 'a trailing dot'],
    ['ｇｍａｉｌ.com', 'full width'],
    ['gmail。com', 'an ideographic full stop'],
    ['müllmail.com', 'letters of an international name'],
    ['xn--mllmail-n2a.com', 'the same in ASCII'],
  ])('is refused at %s: %s', async (domain) => {
    expect(await refusedWith(domain)).toBe('public_mailbox')
  })
})

describe('the lists', () => {
  const read = createRequire(import.meta.url)
  const psl: { get(name: string): string | null } = read('psl')
  const theirs: string[] = [
    ...read('email-providers/all.json'),
    ...read('disposable-email-domains-js').disposableEmailBlocklistSet(),
    ...read('mailchecker').blacklist(),
  ]
  const ours = [services, relays, portals, universities, ...Object.values(european), ...Object.values(other)]
    .flatMap((groups) => Object.values(groups as Record<string, string>))
    .flatMap((text) => text.trim().split(/\s+/))

  it('take no ending under which others have their names for a mailbox', () => {
    const endings = [...new Set([...theirs, ...ours])].filter((name) => psl.get(name) === null)
    expect(endings.length).toBeGreaterThan(5)
    expect(endings.filter((name) => isPublicMailbox(`agency.${name}`))).toEqual([])
  })

  it('of ours are host names, as they are compared', () => {
    expect(ours.filter((name) => !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(name))).toEqual([])
  })
})
