import { useState } from 'react'
import { type CatalogueProvider, client, type IntegrationParams, useChange } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import { Form } from '../design/form.tsx'
import { Notice } from '../design/notice.tsx'
import { ProviderFields } from '../design/provider-fields.tsx'
import { toast } from '../design/toast.tsx'
import type { Integration } from '../integration-words.ts'

type Props = { place: IntegrationParams; integration: Integration; provider: CatalogueProvider; onClose: () => void }

/** For members who were given the login: checked and sealed as on the connect page, without a link. */
export function EnterCredentials({ place, integration, provider, onClose }: Props) {
  const [refused, setRefused] = useState<Integration>()
  const [attempt, setAttempt] = useState(0)
  const submit = useChange(
    (fields: Record<string, string>) => client.submitIntegrationCredentials(place, fields),
    (after) => {
      setAttempt(attempt + 1)
      if (after.connectedAt === integration.connectedAt) return setRefused(after)
      onClose()
      toast(`Connected: ${after.connectedAccount ?? provider.providerName}.`)
    },
  )
  return (
    <Dialog
      title={`Connect ${provider.providerName}`}
      note="We check what you enter right away and store it encrypted. Nobody can read it back."
      open
      onClose={onClose}
    >
      <Form<Record<string, string>> error={submit.error} busy={submit.isPending} onSubmit={(fields) => submit.mutate(fields)}>
        {refused && !submit.isPending && (
          <Notice
            tone={refused.lastError ? 'warn' : 'bad'}
            title={refused.lastError ? `${provider.providerName} is not connected yet` : `${provider.providerName} was not connected`}
            detail={refused.lastError ?? refused.statusDetail}
          />
        )}
        <ProviderFields fields={provider.connectFields} attempt={attempt} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={submit.isPending}>
            {submit.isPending ? `Checking with ${provider.providerName}…` : 'Connect'}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
