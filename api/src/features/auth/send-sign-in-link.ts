import type { Handler } from '../../call.ts'
import { trustedUrl } from '../../domain/trusted-url.ts'
import { refuse } from '../../refusal.ts'

/** Everything else is done by a job: the answer, and the time it takes, are the same for every address. */
export const sendSignInLink: Handler<'sendSignInLink'> = async ({ parts, body }) => {
  const callbackURL =
    body.callbackURL === undefined
      ? null
      : (trustedUrl(body.callbackURL, parts.config) ??
        refuse('untrusted_url', { errors: [{ path: 'callbackURL', message: 'must be on a trusted origin' }] }))
  await parts.jobs.enqueue(parts.db.query, 'sign_in.mail', { email: body.email, callbackURL })
  parts.jobs.wake()
  return { email: body.email }
}
