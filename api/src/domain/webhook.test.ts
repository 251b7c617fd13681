import { describe, expect, it } from 'vitest'
import { acceptableWebhookUrl, type DeliveryResult, nextStep, type Progress } from './webhook.ts'

const fresh: Progress = { tries: 0, refusals: 0, setAside: 0, failingSince: null, warned: false }
const start = new Date('2026-01-01T00:00:00Z')
const later = (hours: number) => new Date(start.getTime() + hours * 3_600_000)
const step = (before: Progress, result: DeliveryResult, now = start) => nextStep(before, result, now, () => 0.5)

describe('a delivery', () => {
  it.each([200, 201, 204, 299])('%s is a success', (status) => expect(step(fresh, { status })).toEqual({ step: 'delivered' }))

  it('is tried again after 5 s, 30 s, 2 min, 10 min, 30 min, 1 h, 3 h, then every 6 h', () => {
    const waits: number[] = []
    let progress = fresh
    for (let i = 0; i < 10; i++) {
      const next = step(progress, { error: 'timeout' })
      if (next.step !== 'retry') throw new Error(next.step)
      waits.push(next.seconds)
      progress = next.progress
    }
    expect(waits).toEqual([5, 30, 120, 600, 1800, 3600, 10_800, 21_600, 21_600, 21_600])
  })

  it('waits as long as it is asked to, up to six hours', () => {
    const wait = (retryAfter: number) => (step(fresh, { status: 503, retryAfter }) as { seconds: number }).seconds
    expect([0, 90, 7200, 999_999].map(wait)).toEqual([5, 90, 7200, 21_600])
  })

  it('is not tried again where the address is gone', () => expect(step(fresh, { status: 410 })).toMatchObject({ step: 'disable' }))

  it('that fails is told of after a day, once, and ends the webhook after five', () => {
    const failing = { ...fresh, tries: 9, failingSince: start }
    expect(step(failing, { status: 500 }, later(23))).toMatchObject({ step: 'retry', warn: false })
    expect(step(failing, { status: 500 }, later(24))).toMatchObject({ warn: true, progress: { warned: true } })
    expect(step({ ...failing, warned: true }, { status: 500 }, later(30))).toMatchObject({ warn: false })
    expect(step(failing, { status: 500 }, later(120))).toMatchObject({ step: 'disable' })
  })

  it('that is refused five times is set aside; after three in a row nothing is', () => {
    const refuse = (progress: Progress) => {
      for (let i = 1, next = step(progress, { status: 422 }); ; i++, next = step(next.progress as Progress, { status: 422 })) {
        if (next.step === 'set_aside') return { tries: i, next }
        if (next.step !== 'retry' || i > 20) return { tries: i, next }
      }
    }
    const first = refuse(fresh)
    expect(first).toMatchObject({ tries: 5, next: { step: 'set_aside', failing: false } })
    const second = refuse((first.next as { progress: Progress }).progress)
    const third = refuse((second.next as { progress: Progress }).progress)
    expect(third).toMatchObject({ tries: 5, next: { failing: true } })
    expect(refuse((third.next as { progress: Progress }).progress)).toMatchObject({ tries: 21, next: { step: 'retry', failing: true } })
  })

  it.each([408, 425, 429, 500, 302])('%s is no refusal of the event', (status) => {
    expect(step({ ...fresh, tries: 9, refusals: 4 }, { status })).toMatchObject({ step: 'retry', progress: { refusals: 4 } })
  })
})

describe('an address', () => {
  it.each(['https://a.example/hook?x=1', 'https://a.example:8443/'])('%s is taken', (url) =>
    expect(acceptableWebhookUrl(url, false)?.href).toBe(url),
  )

  it.each(['http://localhost:4000/hook', 'http://127.0.0.1/', 'http://[::1]:1/'])('%s is taken in development alone', (url) => {
    expect(acceptableWebhookUrl(url, true)).not.toBeNull()
    expect(acceptableWebhookUrl(url, false)).toBeNull()
  })

  it.each([
    'http://a.example/',
    'http://localhost.example/',
    'http://127.0.0.2/',
    'https://u:p@a.example/',
    'https://u@a.example/',
    'ftp://a.example/',
    'https:a.example',
    'https:///a',
    '//a.example',
    'https://a.example/ x',
    'https://a.example\\@b.example/',
    'https://a.example/#x',
    'javascript:alert(1)',
    `https://a.example/${'x'.repeat(2048)}`,
  ])('%s is refused', (url) => expect(acceptableWebhookUrl(url, true)).toBeNull())
})
