import { useState } from 'react'
import { type CatalogueProvider, client, type IntegrationParams, useChange } from '../api.ts'
import { type CallMode, isCallable, modes } from '../call-words.ts'
import { Badge } from '../design/badge.tsx'
import { Button } from '../design/button.tsx'
import { Card } from '../design/card.tsx'
import { Choice } from '../design/choice.tsx'
import { Confirm } from '../design/confirm.tsx'
import { toast } from '../design/toast.tsx'
import type { Integration } from '../integration-words.ts'
import { may, type OwnRoles } from '../may.ts'
import { explain } from '../problem.ts'
import { TryCall } from './try-call.tsx'

type Props = { place: IntegrationParams; integration: Integration; provider: CatalogueProvider | undefined; standing: OwnRoles }

/** What programs may do through the connection, and how they do it. */
export function IntegrationUse({ place, integration, provider, standing }: Props) {
  if (!provider) return null
  const { mode } = integration.callPolicy
  return (
    <Card title="Use it" note={`Programs call the ${provider.providerName} API through Adjoin. They never see the credentials.`}>
      {isCallable(provider) ? (
        <div className="grid gap-5">
          {may('setIntegrationCallPolicy', standing) ? <PolicyChoice place={place} integration={integration} /> : <Policy mode={mode} />}
          {mode !== 'off' && (
            <div className="border-line border-t pt-5">
              <TryCall place={place} integration={integration} provider={provider} standing={standing} />
            </div>
          )}
        </div>
      ) : (
        <p className="text-soft">Programs can’t call {provider.providerName} through Adjoin yet.</p>
      )}
    </Card>
  )
}

const Policy = ({ mode }: { mode: CallMode }) => {
  const { label, help } = modes.find(({ value }) => value === mode)!
  return (
    <div className="grid justify-items-start gap-1.5">
      <Badge tone={mode === 'off' ? 'quiet' : 'info'}>{label}</Badge>
      <p>{help}</p>
      <p className="text-faint text-small">Only admins of this workspace can change this.</p>
    </div>
  )
}

function PolicyChoice({ place, integration }: { place: IntegrationParams; integration: Integration }) {
  const { mode } = integration.callPolicy
  const [picked, setPicked] = useState<CallMode>()
  const [confirming, setConfirming] = useState(false)
  const chosen = picked ?? mode
  const change = useChange(
    (mode: CallMode) => client.setIntegrationCallPolicy(place, { mode, accounts: integration.callPolicy.accounts }),
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
