import type { Output } from '@adjoin/contract/operations'

type Failure = Pick<Output<'getConnectResult'>, 'reason' | 'mustAct' | 'detail'>
type Names = { providerName: string; organization: string }

/**
 * Why it did not work and what the client can do.
 * What others have to fix is not explained to them, nor blamed on anyone.
 */
export function whyNotConnected({ reason, mustAct, detail }: Failure, { providerName, organization }: Names): string {
  if (reason === 'account_unreachable')
    return `The user you connected with has no access to the account that ${organization} asked for. Try again with a user who has access, or contact ${organization}.`
  if (mustAct === 'agency') return `This connection is not fully set up yet. Contact ${organization}, then try again.`
  if (mustAct === 'operator')
    return `We can’t connect ${providerName} right now. This is not caused by anything you entered. Try again later, and let ${organization} know if it keeps happening.`
  return detail ?? `${providerName} did not confirm access. Try again.`
}
