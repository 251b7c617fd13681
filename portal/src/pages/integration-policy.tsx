import { useState } from 'react'
import { type IntegrationParams, useChange } from '../api.ts'
import { type CallMode, isCallable, modes } from '../call-words.ts'
import { changePolicy } from '../change-policy.ts'
import { Badge } from '../design/badge.tsx'
import { Button } from '../design/button.tsx'
import { Card } from '../design/card.tsx'
import { Choice } from '../design/choice.tsx'
import { Confirm } from '../design/confirm.tsx'
import { toast } from '../design/toast.tsx'
import type { Integration } from '../integration-words.ts'
import { may } from '../may.ts'
import { explain } from '../problem.ts'
import type { IntegrationProps } from './use-integration.ts'

/** What programs may do through the connection: decided by people, never by programs. */
export function IntegrationPolicy({ place, integration, provider, standing }: IntegrationProps) {
  if (!provider || !isCallable(provider)) return null
  return (
    <Card
      id="policy"
      title="Use by programs"
      note={`Programs call the ${integration.providerName} API through Adjoin. They never see the credentials.`}
    >
      {may('setIntegrationCallPolicy', standing) ? (
        <PolicyChoice place={place} integration={integration} />
      ) : (
        <div className="grid gap-1.5">
          <Policy mode={integration.callPolicy.mode} />
          <p className="text-faint text-small">Only admins of this workspace can change this.</p>
        </div>
      )}
    </Card>
  )
}

export const Policy = ({ mode }: { mode: CallMode }) => {
  const { label, help } = modes.find(({ value }) => value === mode)!
  return (
    <div className="grid justify-items-start gap-1.5">
      <Badge tone={mode === 'off' ? 'quiet' : 'info'}>{label}</Badge>
      <p>{help}</p>
    </div>
  )
}

function PolicyChoice({ place, integration }: { place: IntegrationParams; integration: Integration }) {
  const { mode } = integration.callPolicy
  const [picked, setPicked] = useState<CallMode>()
  const [confirming, setConfirming] = useState(false)
  const chosen = picked ?? mode
  const change = useChange(
    (mode: CallMode) => changePolicy(place, { mode }),
    () => {
      setPicked(undefined)
      setConfirming(false)
      toast('Policy updated.')
    },
  )
  const widens = chosen === 'full' && mode !== 'full'
  const update = () =>
    widens ? setConfirming(true) : change.mutate(chosen, { onError: (error) => toast(explain(error).detail, { bad: true }) })
  return (
    <div className="grid justify-items-start gap-4">
      <Choice legend="What programs may do" options={modes} value={chosen} onChange={setPicked} />
      <Button busy={change.isPending && !confirming} onClick={update}>
        {widens ? 'Update policy…' : 'Update policy'}
      </Button>
      {confirming && (
        <Confirm
          title={`Let programs make changes at ${integration.providerName}?`}
          action="Allow changes"
          change={change}
          onConfirm={() => change.mutate(chosen)}
          onClose={() => setConfirming(false)}
        >
          <p>
            Programs with a member’s or admin’s key can then create, change and delete campaigns, budgets and everything else this
            connection reaches. This can cost your client money.
          </p>
          <p>Every change is recorded in the audit trail before it’s sent. You can switch back at any time.</p>
        </Confirm>
      )}
    </div>
  )
}
