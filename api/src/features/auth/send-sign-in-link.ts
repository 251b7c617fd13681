import type { Handler } from '../../call.ts'
import { checkedCallback } from './callback-url.ts'

/** Everything else is done by a job: the answer, and the time it takes, are the same for every address. */
export const sendSignInLink: Handler<'sendSignInLink'> = async ({ parts, body }) => {
  const callbackURL = checkedCallback(body.callbackURL, parts.config)
  await parts.jobs.enqueue(parts.db.query, 'sign_in.mail', { email: body.email, callbackURL })
  parts.jobs.wake()
  return { email: body.email }
}
