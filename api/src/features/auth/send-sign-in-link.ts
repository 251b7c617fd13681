import type { Handler } from '../../call.ts'
import { checkedCallback } from './callback-url.ts'
import { issueChallenge } from './challenge.ts'

/** Everything else is done by a job: the answer, and the time it takes, are the same for every address. */
export const sendSignInLink: Handler<'sendSignInLink'> = async (call) => {
  const { parts, body } = call
  const callbackURL = checkedCallback(body.callbackURL, parts.config)
  const { challenge, answer } = issueChallenge(call)
  await parts.jobs.enqueue(parts.db.query, 'sign_in.mail', { email: body.email, callbackURL, challenge })
  parts.jobs.wake()
  return { email: body.email, ...answer }
}
