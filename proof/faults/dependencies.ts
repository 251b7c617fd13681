// Everyone the service talks to besides its database, each behind a proxy:
// a mail server, the twins of the ad systems, an identity provider.
import { randomBytes, randomUUID } from 'node:crypto'
import { createSandbox } from '../../api/src/sandbox/index.ts'
import { forge, startHostileProvider } from '../../api/test/hostile-provider.ts'
import { json } from '../../api/test/loopback.ts'
import { type ReceivedMail, startSmtpPeer } from '../../api/test/smtp-peer.ts'
import { createProxy, type FaultProxy } from './proxy.ts'

export interface Dependencies {
  readonly mail: FaultProxy
  readonly twins: FaultProxy
  readonly identity: FaultProxy
  /** Everything the mail server took, oldest first. */
  readonly letters: readonly ReceivedMail[]
  readonly issuer: string
  /** The next code is good for this person, in the visit with this nonce. */
  vouch(email: string, nonce: string): void
  /** What the service is told about them. */
  readonly env: Record<string, string>
  close(): Promise<void>
}

export async function createDependencies(): Promise<Dependencies> {
  const peer = await startSmtpPeer()
  const sandbox = await createSandbox({ secret: randomBytes(16).toString('hex'), environment: 'test' }).listen()
  const provider = await startHostileProvider()
  const [mail, twins, identity] = await Promise.all([peer.url, sandbox.url, provider.client.issuer].map((url) => createProxy(portOf(url))))
  const issuer = `http://127.0.0.1:${identity!.port}`
  provider.answers['/.well-known/openid-configuration'] = json(200, {
    ...provider.metadata,
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
  })
  return {
    mail: mail!,
    twins: twins!,
    identity: identity!,
    letters: peer.letters,
    issuer,
    vouch: (email, nonce) =>
      provider.issue(forge({ key: provider.key, claims: provider.honest({ iss: issuer, sub: email, email, nonce, jti: randomUUID() }) })),
    env: {
      SMTP_URL: `smtp://127.0.0.1:${mail!.port}`,
      TWINS_URL: `http://127.0.0.1:${twins!.port}`,
      GOOGLE_CLIENT_ID: provider.client.clientId,
      GOOGLE_CLIENT_SECRET: provider.client.clientSecret,
      GOOGLE_ISSUER: issuer,
    },
    close: async () => {
      await Promise.all([mail, twins, identity].map((proxy) => proxy!.close()))
      await Promise.all([peer.close(), sandbox.close(), provider.close()])
    },
  }
}

const portOf = (url: string) => Number(new URL(url).port)

/** The token in the link of the newest letter to an address. */
export const linkIn = (letters: readonly ReceivedMail[], address: string): string | undefined =>
  /#token=([\w-]+)/.exec(letters.findLast(({ to }) => to.includes(address))?.text ?? '')?.[1]
