import { describe, expect, it } from 'vitest'
import { signWebhook, verifyWebhook } from './verify-webhook.ts'

const SECRET = `whsec_${btoa('a secret of thirty-two characters')}`
const body = JSON.stringify({ type: 'workspace.updated', data: { changes: [] } })
const now = new Date('2026-11-15T20:00:00Z')

describe('a delivery', () => {
  it('is verified, by plain headers and by Headers, with any of its signatures', async () => {
    const headers = await signWebhook('one', body, SECRET, now)
    expect(await verifyWebhook(headers, body, SECRET, now)).toEqual(JSON.parse(body))
    const two = new Headers({ ...headers, 'webhook-signature': `v1a,x v1,AAAA ${headers['webhook-signature']}` })
    expect(await verifyWebhook(two, body, SECRET, now)).toMatchObject({ type: 'workspace.updated' })
  })

  it('agrees with the example of the standard', async () => {
    const known = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    }
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    expect(await verifyWebhook(known, '{"test": 2432232314}', secret, new Date(1614265330_000))).toEqual({ test: 2432232314 })
  })

  type Sent = Record<string, string>
  const altered: [string, (headers: Sent) => [Sent, string, string, Date]][] = [
    ['a changed body', (headers) => [headers, `${body} `, SECRET, now]],
    ['another secret', (headers) => [headers, body, `whsec_${btoa('another secret of that length....')}`, now]],
    ['another id', (headers) => [{ ...headers, 'webhook-id': 'two' }, body, SECRET, now]],
    ['an old delivery', (headers) => [headers, body, SECRET, new Date(now.getTime() + 301_000)]],
    ['one from the future', (headers) => [headers, body, SECRET, new Date(now.getTime() - 301_000)]],
    ['no signature', ({ 'webhook-signature': _, ...headers }) => [headers, body, SECRET, now]],
    [
      'nonsense',
      (headers) => [{ ...headers, 'webhook-signature': 'v1,%%%', 'webhook-timestamp': headers['webhook-timestamp']! }, body, SECRET, now],
    ],
  ]
  it.each(altered)('is refused: %s', async (_, change) => {
    await expect(verifyWebhook(...change(await signWebhook('one', body, SECRET, now)))).rejects.toThrow(/header|old|signature/)
  })
})
