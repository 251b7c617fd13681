// How people come into a running service, by the client that everyone has:
// they sign up and in with the code of a mail, and agree at an ad system's twin.
import { type Client, createClient } from '@adjoin/contract/client'
import { until } from './until.ts'

export type MailMessage = { to: string; subject: string; text: string; sentAt: string }
export type SignedIn = { token: string; client: Client }
export type SignUpInput = { email: string; name: string; organizationName: string; organizationSlug: string }

/** The newest mail to an address, from the development mailbox; a job sends it, so it is waited for. */
export async function mailTo(url: string, address: string, after = new Date(0)): Promise<MailMessage> {
  const newest = async () => {
    const { messages } = (await (await fetch(`${url}/dev/mailbox.json`)).json()) as { messages: MailMessage[] }
    return messages.find(({ to, sentAt }) => to === address && new Date(sentAt) > after)
  }
  return until(newest, Boolean, `a mail to ${address}`)
}

export const codeOf = ({ text }: { text: string }): string => /^\s+(\d{6})\s*$/m.exec(text)![1]!
export const linkOf = ({ text }: { text: string }): string => /https?:\/\/\S+/.exec(text)![0]
/** The token that a mailed link ends with. */
export const mailedTokenOf = ({ text }: { text: string }): string => /#token=([\w-]{43})\b/.exec(text)![1]!
/** The token of a connect link. */
export const tokenOf = (connectUrl: string): string => connectUrl.split('/').at(-1)!

/** A person who has signed in by mail, with a client of their own. */
export async function signIn(
  url: string,
  email: string,
  ask = (anyone: Client): Promise<{ challenge?: string }> => anyone.sendSignInLink({ email }),
): Promise<SignedIn> {
  const anyone = createClient({ url })
  const before = new Date()
  const { challenge } = await ask(anyone)
  const code = codeOf(await mailTo(url, email, before))
  const { token } = await anyone.verifySignIn({ email, code, challenge: challenge! })
  return { token: token!, client: createClient({ url, headers: { authorization: `Bearer ${token}` } }) }
}

export const signUp = (url: string, asked: SignUpInput): Promise<SignedIn> =>
  signIn(url, asked.email, (anyone) => anyone.signUp({ ...asked, provider: 'magic-link' }))

/** Ada's organization, named by its slug alone. */
export const signUpAgency = async (url: string, slug: string): Promise<SignedIn & { slug: string }> => ({
  ...(await signUp(url, { email: `ada@${slug}.example`, name: 'Ada', organizationName: slug, organizationSlug: slug })),
  slug,
})

/** A client's visit to the consent screen of the sandbox: the address that it sends the browser back to. */
export async function consent(url: string, connectUrl: string, decision: string): Promise<string> {
  const { authorizationUrl } = await createClient({ url }).startConnectOAuth({ token: tokenOf(connectUrl) }, {})
  const there = await fetch(`${authorizationUrl}&decision=${decision}`, { redirect: 'manual' })
  return there.headers.get('location')!
}
