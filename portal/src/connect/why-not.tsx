import type { Output } from '@adjoin/contract/operations'
import { Emphasized, type Speech, useSpeech } from './speech.tsx'
import { useOwnWords } from './use-own-words.ts'

type Failure = Pick<Output<'getConnectResult'>, 'reason' | 'mustAct' | 'detail'>
type WhyNotProps = { failure: Failure; system: string; organization: string; expectedAccount?: string | null | undefined }

/** With these, another login at the ad system is what helps. */
export const needsOtherAccount = ({ reason }: Pick<Failure, 'reason'>) => reason === 'wrong_account' || reason === 'account_unreachable'

/**
 * Why it did not work and what the client can do.
 * What others have to fix is not explained to them, nor blamed on anyone.
 */
export function WhyNot({ failure, system, organization, expectedAccount }: WhyNotProps) {
  const { words } = useSpeech()
  const missing = useMissing(failure)
  return (
    <>
      <span className="block">{sentenceOf(failure, words)(system, organization)}</span>
      {missing.length > 0 && (
        <>
          <span className="mt-2 block">{words.failed.notAllowed}</span>
          <span className="block">{missing.join(' · ')}</span>
        </>
      )}
      {needsOtherAccount(failure) && (
        <>
          {expectedAccount && (
            <span className="mt-2 block">
              <Emphasized say={words.failed.expected} name={expectedAccount} />
            </span>
          )}
          <span className="mt-2 block">{words.failed.switch(system)}</span>
        </>
      )}
    </>
  )
}

type Sentences = Speech['words']

/** A reason that another version of the service knows is told by who must act. */
export function sentenceOf({ reason, mustAct }: Pick<Failure, 'reason' | 'mustAct'>, { reasons }: Sentences) {
  if (reason !== null && Object.hasOwn(reasons, reason)) return reasons[reason as keyof typeof reasons]
  if (mustAct === 'agency') return reasons.setting_missing
  return mustAct === 'operator' ? reasons.app_misconfigured : reasons.unknown
}

/** What the service quotes, as far as it is a permission and not the ad system's own words. */
function useMissing({ reason, detail }: Failure): string[] {
  const quoted = reason === 'scope_missing' ? [...(detail ?? '').matchAll(/“([^”]+)”/g)].map(([, words]) => words!) : []
  const own = useOwnWords(quoted)
  return quoted.flatMap((words) => own(words) ?? [])
}
