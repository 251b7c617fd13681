import type { Output } from '@adjoin/contract/operations'
import type { Permission } from '@adjoin/contract/scopes'
import { Emphasized, type Speech, useSpeech } from './speech.tsx'
import { useRead } from './use-read.ts'

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

/** The service names them in the English of the contract: found there, they are said in the client's language. */
function useMissing({ reason, detail }: Failure): string[] {
  const { permissions } = useSpeech().words
  const { data = [] } = useRead(async () => {
    if (reason !== 'scope_missing' || !detail) return []
    const { permissionWords } = await import('@adjoin/contract/permissions')
    return Object.entries(permissionWords).flatMap(([scope, english]) => (detail.includes(`“${english}”`) ? [scope as Permission] : []))
  })
  return [...new Set(data.map((scope) => permissions[scope]))]
}
