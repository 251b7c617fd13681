import { expect, test } from 'vitest'
import { reasons } from '../../api/src/providers/reasons.ts'
import type { CatalogueProvider } from '../src/api.ts'
import { draftOf, needingClient, requestBody } from '../src/request-draft.ts'
import { type ConnectItem, type ConnectRequest, progressOf, requestFor, requestWords, standOf } from '../src/request-words.ts'
import { funnelOf, stuckOn } from '../src/stuck-words.ts'

const item = (more: Partial<ConnectItem>): ConnectItem =>
  ({
    provider: 'xandr',
    providerName: 'Xandr',
    status: 'pending',
    reason: null,
    startedAt: null,
    completedAt: null,
    ...more,
  }) as ConnectItem
const at = '2026-11-16T10:00:00.000Z'
const connected = { status: 'connected', startedAt: at, completedAt: at } as const
const request = (status: ConnectRequest['status'], ...items: ConnectItem[]) => ({ status, items }) as ConnectRequest

test('how far a client is', () => {
  expect(progressOf(request('open', item({}), item({})))).toBe('0 of 2 connected')
  expect(progressOf(request('partial', item(connected), item({ status: 'declined' }), item({})))).toBe('1 of 3 connected, 1 not used')
})

// Everything that the status of a request can stand for, and what is said of it.
test.each([
  ['open', 'pending', 'Waiting for client'],
  ['partial', 'connected pending', 'In progress'],
  ['partial', 'declined pending', 'In progress'],
  ['partial', 'unfinished', 'In progress'],
  ['complete', 'connected', 'Complete'],
  ['complete', 'connected declined', 'Complete'],
  ['complete', 'declined', 'Nothing connected'],
  ['complete', 'declined declined', 'Nothing connected'],
  ['expired', 'declined pending', 'Expired'],
  ['canceled', 'declined', 'Canceled'],
] as const)('a request that is %s, with %s, is said to be: %s', (status, items, words) => {
  const asked = request(status, ...items.split(' ').map((each) => item({ status: each as ConnectItem['status'] })))
  expect(requestWords[standOf(asked)].words).toBe(words)
  expect(requestWords[standOf(asked)].tone === 'good').toBe(words === 'Complete')
})

test('what is unfinished was started and says what is missing, by whatever way it was connected', () => {
  const half = item({ status: 'unfinished', missing: 'account' })
  expect(stuckOn(half)).toBe('Connected, account not chosen')
  expect(funnelOf([request('partial', half)])).toMatchObject([
    { asked: 1, started: 1, connected: 0, stuck: [['Connected, account not chosen', 1]] },
  ])
  expect(progressOf(request('partial', half))).toBe('0 of 1 connected, 1 not finished')
})

test('every reason why a client can fail has words; others have some', () => {
  const words = Object.keys(reasons).map((reason) => stuckOn(item({ status: 'failed', reason })))
  const nobodysFault = ['client_disconnected', 'access_ended', 'credential_unreadable', 'left_catalogue']
  const unknown = Object.keys(reasons).filter((_, nth) => words[nth] === 'The last attempt failed')
  expect(unknown).toEqual(nobodysFault)
  expect(stuckOn(item({ status: 'failed', reason: 'of_another_version' }))).toBe('The last attempt failed')
  expect([stuckOn(item({})), stuckOn(item({ startedAt: at })), stuckOn(item(connected))]).toEqual([
    'Not started',
    'Started, not finished',
    null,
  ])
})

test('where most clients are stuck comes first, with what holds them up; canceled requests are left out', () => {
  const meta = { provider: 'meta_ads', providerName: 'Meta Ads' }
  const requests = [
    request('partial', item(connected), item({ ...meta, status: 'failed', reason: 'consent_denied', startedAt: at })),
    request('open', item(meta), item({ ...meta, status: 'declined', completedAt: at })),
    request('canceled', item({ provider: 'criteo' })),
  ]
  expect(funnelOf(requests)).toEqual([
    { ...meta, asked: 3, started: 2, connected: 0, declined: 1, stuck: [['Didn’t allow access', 1], ['Not started', 1]] }, // biome-ignore format: a row
    { provider: 'xandr', providerName: 'Xandr', asked: 1, started: 1, connected: 1, declined: 0, stuck: [] },
  ])
})

test('what was typed belongs to its item, and what was left empty is not sent', () => {
  const provider = { provider: 'google_ads', settingsFields: [{ name: 'customerId' }, { name: 'loginCustomerId' }] }
  const draft = draftOf(
    {
      title: 'Spring',
      message: ' ',
      clientEmail: '',
      language: 'de',
      expiresInDays: '14',
      'items.0.settings.customerId': '1',
      'items.0.name': 'Search',
      'items.1.optional': 'on',
    },
    [
      { key: 'a', provider: 'google_ads', name: 'Google Ads', values: {} },
      { key: 'b', provider: 'xandr', name: 'Seat', integrationId: 'some-id', values: {} },
    ],
  )
  expect(draft.items[0]!.values).toEqual({ 'settings.customerId': '1', name: 'Search' })
  expect(requestBody(draft, [provider as CatalogueProvider])).toEqual({
    title: 'Spring',
    language: 'de',
    expiresInDays: 14,
    reminders: false,
    items: [
      { provider: 'google_ads', name: 'Search', settings: { customerId: '1' }, optional: false },
      { integrationId: 'some-id', optional: true },
    ],
  })
})

test('only what waits for its client and is part of no open request is offered again', () => {
  const integration = (id: string, more: object) =>
    ({ id, category: 'ssp', status: 'error', mustAct: 'client', statusReason: null, ...more }) as never
  const integrations = [
    integration('broken', {}),
    integration('asked', { status: 'pending' }),
    integration('settings', { mustAct: 'agency' }),
    integration('ended', { mustAct: 'agency', statusReason: 'access_ended' }),
    integration('off', { status: 'disabled', mustAct: null }),
  ]
  const requests = [request('open', item({ integrationId: 'asked' })), request('expired', item({ integrationId: 'broken' }))]
  expect(needingClient(integrations, requests).map(({ id }) => id)).toEqual(['broken', 'ended'])
  expect(requestFor(requests, 'asked')).toBe(requests[0])
  expect(requestFor(requests, 'broken')).toBeUndefined()
})
