// What to do with an answer that is not the end of it: beside the answer, and for people only.
import type { OperationId } from '@adjoin/contract'
import { note, type Safe, safe } from './terminal.ts'

type Answer = Record<string, unknown>

const KEY = safe`Save the key now: it is not shown again. To use it, set ADJOIN_API_KEY, or run: adjoin login --with-key`
const SECRET = safe`Save the secret now: it is not shown again. Your server needs it to verify what it receives.`

const NEXT: Partial<Record<OperationId, (answer: Answer) => Safe | undefined>> = {
  signUp: ({ email, challenge }) => (challenge ? codeFor(email, challenge) : undefined),
  sendSignInLink: ({ email, challenge }) => (challenge ? codeFor(email, challenge) : undefined),
  verifySignIn: ({ organizationSlug }) =>
    safe`This is a session for scripts: set ADJOIN_TOKEN to the token. To sign in on this machine, run: adjoin login${organizationSlug ? safe`\nThen set your default organization: adjoin use ${String(organizationSlug)}` : ''}`,
  createApiKey: () => KEY,
  rotateApiKey: () => KEY,
  createWebhook: () => SECRET,
  rotateWebhookSecret: () => SECRET,
}

const codeFor = (email: unknown, challenge: unknown) =>
  safe`We sent an email. Open its link, or enter its code here within 10 minutes:\n  adjoin signin verify --email ${String(email ?? 'EMAIL')} --challenge ${String(challenge)} --code CODE`

export function sayNext(id: OperationId, answer: unknown): void {
  const next = NEXT[id]?.((answer ?? {}) as Answer)
  if (next) note`${next}\n`
}
