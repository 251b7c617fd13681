import { client, useChange } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Icon } from '../design/icons.tsx'
import { toast } from '../design/toast.tsx'
import type { Integration } from '../integration-words.ts'
import { may } from '../may.ts'
import { explain } from '../problem.ts'
import type { IntegrationProps } from './use-integration.ts'

const fail = { onError: (error: Error) => toast(explain(error).detail, { bad: true }) }

/** What is done again and again: only what the role allows and the state makes sense of. */
export function IntegrationActions({ place, integration, standing }: IntegrationProps) {
  const { status, connectedAt, providerName } = integration
  const verify = useChange(() => client.verifyIntegration(place), tell)
  const enable = useChange(() => client.enableIntegration(place), tell)
  return (
    <>
      {may('verifyIntegration', standing) && connectedAt && status !== 'disabled' && (
        <Button busy={verify.isPending} onClick={() => verify.mutate(undefined, fail)}>
          {!verify.isPending && <Icon name="rotate" />} {verify.isPending ? `Checking with ${providerName}…` : 'Verify now'}
        </Button>
      )}
      {may('enableIntegration', standing) && status === 'disabled' && (
        <Button look="primary" busy={enable.isPending} onClick={() => enable.mutate(undefined, fail)}>
          Enable
        </Button>
      )}
    </>
  )
}

function tell({ status, lastError, connectedAccount, providerName }: Integration) {
  if (lastError) toast(`We couldn’t reach ${providerName}. We’ll retry automatically.`, { bad: true })
  else if (status === 'active') toast(`The connection works${connectedAccount ? `: ${connectedAccount}` : ''}.`)
  else if (status === 'error') toast('The connection doesn’t work. The overview says why.', { bad: true })
  else toast('Integration enabled. It still has to be connected.')
}
