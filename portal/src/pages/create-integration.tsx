import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type CatalogueProvider, client, useChange, type WorkspaceParams } from '../api.ts'
import { type CallMode, isCallable, modes } from '../call-words.ts'
import { Button } from '../design/button.tsx'
import { Card } from '../design/card.tsx'
import { Choice } from '../design/choice.tsx'
import { SelectField, TextField } from '../design/field.tsx'
import { Form } from '../design/form.tsx'
import { Notice } from '../design/notice.tsx'
import { ProviderFields, settingsIn } from '../design/provider-fields.tsx'
import { toast } from '../design/toast.tsx'
import { may, type OwnRoles } from '../may.ts'

type NewIntegrationValues = Record<string, string> & { name: string; returnUrl: string; expectedAccount: string; expiresInDays: string }

type Props = { place: WorkspaceParams; provider: CatalogueProvider; standing: OwnRoles }

export function CreateIntegration({ place, provider, standing }: Props) {
  const navigate = useNavigate()
  const [mode, setMode] = useState<CallMode>('read')
  const mayAllowChanges = may('setIntegrationCallPolicy', standing)
  const create = useChange(
    ({ name, returnUrl, expectedAccount, expiresInDays, ...rest }: NewIntegrationValues) =>
      client.createIntegration(place, {
        provider: provider.provider,
        name,
        expiresInDays: Number(expiresInDays),
        settings: settingsIn(rest, provider.settingsFields),
        callPolicy: { mode },
        ...(returnUrl && { returnUrl }),
        ...(expectedAccount && { expectedAccount }),
      }),
    async ({ id }) => {
      toast('Integration created. Copy the connect link and send it to your client.')
      await navigate({ to: '/organizations/$orgSlug/workspaces/$workspaceSlug/integrations/$id', params: { ...place, id } })
    },
  )
  if (!provider.available)
    return (
      <Notice
        tone="warn"
        title={`${provider.providerName} is not set up yet`}
        detail={`Ask your Adjoin operator to set up an application for ${provider.providerName}. Then you can create the integration.`}
      />
    )
  return (
    <Form<NewIntegrationValues> error={create.error} busy={create.isPending} onSubmit={(values) => create.mutate(values)}>
      <Card title="Integration">
        <div className="grid max-w-lg gap-5">
          <TextField
            name="name"
            label="Name"
            help="Shown to you and your colleagues."
            defaultValue={provider.providerName}
            required
            maxLength={100}
            autoComplete="off"
          />
          <ProviderFields fields={provider.settingsFields} prefix="settings." partial />
        </div>
        {provider.settingsFields.length > 0 && (
          <p className="mt-4 text-faint text-small">You can also add settings later, even after your client has connected.</p>
        )}
      </Card>
      {isCallable(provider) && (
        <Card title="Use by programs" note="Your client sees this before they connect.">
          <Choice
            legend="What programs may do"
            options={mayAllowChanges ? modes : modes.filter(({ value }) => value !== 'full')}
            value={mode}
            onChange={setMode}
          />
          <p className="mt-4 text-faint text-small">
            {mayAllowChanges ? 'You can change this later.' : 'Admins of this workspace can change this later, and also allow changes.'}
          </p>
        </Card>
      )}
      <Card title="Connect link" note="Your client opens this link to give access. It works once.">
        <div className="grid max-w-lg gap-5">
          <LifetimeField />
          <ExpectedAccountField />
          <ReturnUrlField />
        </div>
      </Card>
      <div>
        <Button type="submit" look="primary" busy={create.isPending}>
          Create integration and link
        </Button>
      </div>
    </Form>
  )
}

export const LifetimeField = ({ days = '7' }: { days?: string | undefined }) => (
  <SelectField name="expiresInDays" label="Link expires after" defaultValue={days}>
    {[1, 3, 7, 14, 30].map((days) => (
      <option key={days} value={days}>
        {days === 1 ? '1 day' : `${days} days`}
      </option>
    ))}
  </SelectField>
)

export const ExpectedAccountField = ({ name = 'expectedAccount', value = '' }: { name?: string; value?: string | undefined }) => (
  <TextField
    name={name}
    label="Expected account (optional)"
    help="The account’s ID or the email address it signs in with. If set, all other accounts are rejected."
    maxLength={320}
    autoComplete="off"
    spellCheck={false}
    defaultValue={value}
  />
)

export const ReturnUrlField = ({ value = '' }: { value?: string | undefined }) => (
  <TextField
    name="returnUrl"
    label="Return URL (optional)"
    help="Where we send your client afterwards, with the result added. If empty, they see a result page here."
    placeholder="https://"
    inputMode="url"
    maxLength={2048}
    autoComplete="off"
    spellCheck={false}
    defaultValue={value}
  />
)
