import { describe, expect, test } from 'vitest'
import { countChosen, eventGroups, isChosen, toggleGroup, toggleKind, typesInWords } from '../src/event-types.ts'
import { answerInWords, behindInWords, faultInWords, stateNotice, type Webhook, type WebhookDelivery } from '../src/webhook-words.ts'

const links = eventGroups.find(({ type }) => type === 'connect_link.*')!
const kinds = links.kinds.map(({ type }) => type)

describe('the choice of events', () => {
  test('every group has a name of its own, and every kind a sentence', () => {
    for (const { type, label, kinds } of eventGroups) {
      expect(label, type).toMatch(/^[A-Z]/)
      for (const kind of kinds) expect(kind.label, kind.type).toMatch(/^[A-Z][^_;:]+$/)
    }
    expect(new Set(eventGroups.map(({ label }) => label)).size).toBe(eventGroups.length)
  })

  test('a ticked group is kept as a group, and others stay as they are', () => {
    const all = toggleGroup(['api_key.created'], links)
    expect(all).toEqual(['api_key.created', 'connect_link.*'])
    expect(isChosen(all, 'connect_link.issued')).toBe(true)
    expect(toggleGroup(all, links)).toEqual(['api_key.created'])
    expect(toggleGroup([kinds[0]!], links)).toEqual(['connect_link.*'])
  })

  test('one kind less makes kinds of a group, and the last one a group again', () => {
    const some = toggleKind(['connect_link.*'], links, kinds[1]!)
    expect(some).toEqual(kinds.filter((kind) => kind !== kinds[1]))
    expect(countChosen(some, links)).toBe(kinds.length - 1)
    expect(toggleKind(some, links, kinds[1]!)).toEqual(['connect_link.*'])
  })

  test('is said in words', () => {
    expect(typesInWords([])).toBe('All events')
    expect(typesInWords(['integration.*', kinds[0]!])).toBe(`Integrations, Connect links (1 of ${kinds.length})`)
  })
})

describe('the words of a webhook', () => {
  const webhook = { status: 'active', statusDetail: null, behind: 12, types: [], workspaceSlug: null } as unknown as Webhook
  const failed = { outcome: 'failed', status: null, error: 'ECONNREFUSED', durationMs: 3 } as WebhookDelivery

  test('how far it is behind', () => {
    expect(behindInWords(webhook)).toBe('12 events behind')
    expect(behindInWords({ ...webhook, behind: 1, types: ['user.*'] })).toBe('Up to 1 event behind')
    expect(behindInWords({ ...webhook, behind: 0 })).toBe('Up to date')
    expect(behindInWords({ ...webhook, status: 'disabled' })).toBe('12 events waiting')
  })

  test('a network’s code is never shown', () => {
    expect(answerInWords(failed)).toBe('We couldn’t reach your server: the connection was refused.')
    expect(faultInWords('Your server could not be reached: UND_ERR_SOCKET.')).toBe(
      'Your server could not be reached: the connection was interrupted.',
    )
    expect(faultInWords('DEPTH_ZERO_SELF_SIGNED_CERT')).toBe('its certificate is not valid')
    expect(stateNotice({ ...webhook, status: 'failing', statusDetail: 'Your server answered with 500.' })?.detail).toMatch(
      /^Your server answered with 500\. We’ll keep trying/,
    )
  })
})
