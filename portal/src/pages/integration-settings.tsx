import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client, read, useChange } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Card, Facts } from '../design/card.tsx'
import { TextField } from '../design/field.tsx'
import { Form } from '../design/form.tsx'
import { Notice } from '../design/notice.tsx'
import { type FieldChoice, type ProviderField, ProviderFields, settingsIn } from '../design/provider-fields.tsx'
import { toast } from '../design/toast.tsx'
import { type FieldValues, type Reconciled, useDraft } from '../draft.ts'
import type { Integration } from '../integration-words.ts'
import { may } from '../may.ts'
import { ExpectedAccountField, ReturnUrlField } from './create-integration.tsx'
import { IntegrationAccounts } from './integration-accounts.tsx'
import { IntegrationDanger } from './integration-danger.tsx'
import { IntegrationPolicy } from './integration-policy.tsx'
import { type IntegrationProps, useIntegration } from './use-integration.ts'

export function IntegrationSettings() {
  const props = useIntegration()
  const { integration, standing } = props
  return (
    <>
      {may('updateIntegration', standing) ? <SettingsForm {...props} /> : <SettingsFacts {...props} />}
      <IntegrationPolicy {...props} />
      {integration.connectedAt && may('listIntegrationAccounts', standing) && <IntegrationAccounts {...props} />}
      <IntegrationDanger {...props} />
    </>
  )
}

const SettingsFacts = ({ integration: { settings, expectedAccount, returnUrl }, provider }: IntegrationProps) => (
  <Card title="Settings" note="Members of the workspace can change these.">
    <Facts
      facts={[
        ...(provider?.settingsFields ?? []).map(({ name, label }) => [label, settings[name] ?? 'not set'] as [string, string]),
        ['Expected account', expectedAccount ?? 'any'],
        ['Return URL', returnUrl ?? 'none'],
      ]}
    />
  </Card>
)

type IntegrationValues = FieldValues & { name: string; returnUrl: string; expectedAccount: string }

/** As the form names them. */
const valuesOf = ({ name, returnUrl, expectedAccount, settings }: Integration, fields: ProviderField[]): FieldValues => ({
  name,
  returnUrl: returnUrl ?? '',
  expectedAccount: expectedAccount ?? '',
  ...Object.fromEntries(fields.map((field) => [`settings.${field.name}`, settings[field.name] ?? field.default ?? ''])),
})

/** What the connection waits for, marked at its field. */
function missingIn({ statusReason, settings }: Integration, fields: ProviderField[]): FieldValues {
  if (statusReason !== 'setting_missing') return {}
  const missing = fields.filter(({ name, required }) => required && !settings[name])
  return Object.fromEntries(missing.map(({ name }) => [`settings.${name}`, 'Missing: the connection can’t be used without this.']))
}

function SettingsForm(props: IntegrationProps) {
  const { place, integration, provider } = props
  const fields = provider?.settingsFields ?? []
  const values = valuesOf(integration, fields)
  const draft = useDraft(integration.id, values)
  // What the fields begin with; from then on the draft brings them up to date.
  const [first] = useState(integration)
  const save = useChange(
    ({ name, returnUrl, expectedAccount, ...rest }: IntegrationValues) =>
      client.updateIntegration(place, {
        name,
        returnUrl: returnUrl || null,
        expectedAccount: expectedAccount || null,
        ...(provider && { settings: settingsIn(rest, fields) }),
      }),
    (stored, sent) => {
      draft.accept(sent, valuesOf(stored, fields))
      toast(stored.status === 'error' ? 'Saved, but the connection doesn’t work yet. See the overview.' : 'Saved.')
    },
  )
  const choices = useAccountChoices(props)
  return (
    <Card title="Settings" note="We check changes with the ad system right away.">
      <div ref={draft.box} className="grid max-w-lg gap-5">
        <ChangedMeanwhile {...draft} values={values} fields={fields} />
        <Form<IntegrationValues>
          error={save.error}
          busy={save.isPending}
          marks={missingIn(integration, fields)}
          onSubmit={(values) => save.mutate(values)}
        >
          <TextField name="name" label="Name" required maxLength={100} autoComplete="off" defaultValue={first.name} />
          <ProviderFields fields={fields} prefix="settings." values={first.settings} choices={choices} partial />
          <ExpectedAccountField value={first.expectedAccount ?? ''} />
          <ReturnUrlField value={first.returnUrl ?? ''} />
          <div>
            <Button type="submit" busy={save.isPending}>
              Save
            </Button>
          </div>
        </Form>
      </div>
    </Card>
  )
}

type MeanwhileProps = { changed: Reconciled; discard: () => void; values: FieldValues; fields: ProviderField[] }

function ChangedMeanwhile({ changed: { updated, kept }, discard, values, fields }: MeanwhileProps) {
  if (!updated.length && !kept.length) return null
  const labels: FieldValues = { name: 'Name', returnUrl: 'Return URL', expectedAccount: 'Expected account' }
  for (const { name, label } of fields) labels[`settings.${name}`] = label
  const now = (names: string[]) => names.map((name) => `${labels[name]} is now ${values[name] ? `“${values[name]}”` : 'empty'}.`).join(' ')
  return (
    <Notice
      tone="warn"
      title="Someone else changed these settings in the meantime"
      detail={`${now([...updated, ...kept])}${kept.length ? ' We kept what you typed. Save to replace the new value.' : ''}`}
    >
      {kept.length > 0 && (
        <Button size="small" onClick={discard}>
          Discard what I typed
        </Button>
      )}
    </Notice>
  )
}

/** What can be picked for settings that take an account, once the client has connected. */
function useAccountChoices({ place, integration, provider, standing }: IntegrationProps): Record<string, FieldChoice[]> {
  const taking = provider?.gateway?.accountSettings ?? []
  const enabled = taking.length > 0 && integration.connectedAt !== null && may('listIntegrationAccounts', standing)
  const { data } = useQuery({ ...read('listIntegrationAccounts', place), enabled })
  const ofKind = (wanted: string) => (data?.accounts ?? []).filter(({ kind }) => kind === wanted)
  return Object.fromEntries(taking.map(({ setting, kind }) => [setting, [...new Map(ofKind(kind).map((one) => [one.id, one])).values()]]))
}
