import { useQuery } from '@tanstack/react-query'
import { type CatalogueProvider, client, type IntegrationParams, read, useChange } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Card, Facts } from '../design/card.tsx'
import { TextField } from '../design/field.tsx'
import { Form } from '../design/form.tsx'
import { type FieldChoice, ProviderFields, settingsIn } from '../design/provider-fields.tsx'
import { toast } from '../design/toast.tsx'
import type { Integration } from '../integration-words.ts'
import { may, type OwnRoles } from '../may.ts'
import { ExpectedAccountField, ReturnUrlField } from './create-integration.tsx'

type Props = { place: IntegrationParams; integration: Integration; provider: CatalogueProvider | undefined; standing: OwnRoles }
type IntegrationValues = Record<string, string> & { name: string; returnUrl: string; expectedAccount: string }

export function IntegrationSettings({ place, integration, provider, standing }: Props) {
  const { name, settings, returnUrl, expectedAccount, updatedAt } = integration
  const fields = provider?.settingsFields ?? []
  const save = useChange(
    ({ name, returnUrl, expectedAccount, ...rest }: IntegrationValues) =>
      client.updateIntegration(place, {
        name,
        returnUrl: returnUrl || null,
        expectedAccount: expectedAccount || null,
        ...(provider && { settings: settingsIn(rest, fields) }),
      }),
    ({ status }) => toast(status === 'error' ? 'Saved, but the connection doesn’t work yet. See the top of the page.' : 'Saved.'),
  )
  const choices = useAccountChoices({ place, integration, provider, standing })
  if (!may('updateIntegration', standing))
    return (
      <Card title="Settings" note="Members of the workspace can change these.">
        <Facts
          facts={[
            ...fields.map(({ name, label }) => [label, settings[name] ?? 'not set'] as [string, string]),
            ['Expected account', expectedAccount ?? 'any'],
            ['Return URL', returnUrl ?? 'none'],
          ]}
        />
      </Card>
    )
  return (
    <Card title="Settings" note="We check changes with the ad system right away.">
      <Form<IntegrationValues>
        key={updatedAt}
        error={save.error}
        busy={save.isPending}
        onSubmit={(values) => save.mutate(values)}
        className="grid max-w-lg gap-5"
      >
        <TextField name="name" label="Name" required maxLength={100} autoComplete="off" defaultValue={name} />
        <ProviderFields fields={fields} prefix="settings." values={settings} choices={choices} partial />
        <ExpectedAccountField value={expectedAccount ?? ''} />
        <ReturnUrlField value={returnUrl ?? ''} />
        <div>
          <Button type="submit" busy={save.isPending}>
            Save
          </Button>
        </div>
      </Form>
    </Card>
  )
}

/** What can be picked for settings that take an account, once the client has connected. */
function useAccountChoices({ place, integration, provider, standing }: Props): Record<string, FieldChoice[]> {
  const taking = provider?.gateway?.accountSettings ?? []
  const enabled = taking.length > 0 && integration.connectedAt !== null && may('listIntegrationAccounts', standing)
  const { data } = useQuery({ ...read('listIntegrationAccounts', place), enabled })
  const ofKind = (wanted: string) => (data?.accounts ?? []).filter(({ kind }) => kind === wanted)
  return Object.fromEntries(taking.map(({ setting, kind }) => [setting, [...new Map(ofKind(kind).map((one) => [one.id, one])).values()]]))
}
