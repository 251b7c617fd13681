import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { read } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Choice } from '../design/choice.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import { SelectField, TextField } from '../design/field.tsx'
import { Form } from '../design/form.tsx'
import type { Webhook } from '../webhook-words.ts'
import { EventTypeChoice } from './event-type-choice.tsx'

export type WebhookInput = { url: string; description: string; types: string[]; workspaceSlug: string | null }
type Fields = { url: string; description: string; workspaceSlug: string }

type Props = {
  orgSlug: string
  title: string
  action: string
  /** Undefined: a new one. */
  webhook?: Webhook
  change: { isPending: boolean; error: Error | null }
  onSubmit: (input: WebhookInput) => void
  onClose: () => void
}

const scopes: { value: 'all' | 'some'; label: string; help: string }[] = [
  { value: 'all', label: 'All events', help: 'Everything in the audit trail, including kinds that we add later.' },
  { value: 'some', label: 'Only the chosen ones', help: 'Tick a whole group, or open it to choose single events.' },
]

export function WebhookForm({ orgSlug, title, action, webhook, change, onSubmit, onClose }: Props) {
  const workspaces = useQuery(read('listWorkspaces', { orgSlug })).data?.workspaces
  const [types, setTypes] = useState(webhook?.types.length ? webhook.types : ['integration.*', 'connect_link.*'])
  const [scope, setScope] = useState<'all' | 'some'>(webhook && !webhook.types.length ? 'all' : 'some')
  const nothing = scope === 'some' && types.length === 0
  const submit = ({ url, description, workspaceSlug }: Fields) =>
    onSubmit({ url: url.trim(), description, types: scope === 'all' ? [] : types, workspaceSlug: workspaceSlug || null })
  return (
    <Dialog title={title} open onClose={onClose} wide>
      <Form<Fields> error={change.error} busy={change.isPending} onSubmit={submit}>
        <TextField
          name="url"
          label={webhook ? 'New URL' : 'URL'}
          help={
            webhook
              ? `Leave empty to keep ${webhook.url}. If you change it, you become the owner. The full URL is never shown again.`
              : 'Where we send events, over https. For your security only its host is shown afterwards.'
          }
          placeholder="https://agency.example/hooks/adjoin"
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required={!webhook}
          maxLength={2048}
        />
        <TextField
          name="description"
          label="Description"
          help="What receives the events, for example “Reporting, production”."
          defaultValue={webhook?.description ?? ''}
          maxLength={200}
          autoComplete="off"
        />
        <SelectField
          // The list arrives after the form: until then there is nothing to choose from.
          key={workspaces ? 'ready' : 'loading'}
          name="workspaceSlug"
          label="Scope"
          help="Choose a workspace to get only the events that belong to it."
          defaultValue={webhook?.workspaceSlug ?? ''}
        >
          <option value="">Whole organization</option>
          {workspaces?.map(({ slug, name }) => (
            <option key={slug} value={slug}>
              {name}
            </option>
          ))}
          {webhook?.workspaceSlug && !workspaces?.some(({ slug }) => slug === webhook.workspaceSlug) && (
            <option value={webhook.workspaceSlug}>{webhook.workspaceSlug}</option>
          )}
        </SelectField>
        <Choice legend="Events" options={scopes} value={scope} onChange={setScope} />
        {scope === 'some' && <EventTypeChoice types={types} onChange={setTypes} />}
        {nothing && (
          <p className="text-bad text-small" role="alert">
            Choose at least one event.
          </p>
        )}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={change.isPending} disabled={nothing}>
            {action}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
