import type { WorkspaceRole } from '@adjoin/contract/roles'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type ApiKey, client, type MintedKey, read, useChange } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import { SelectField, TextField } from '../design/field.tsx'
import { Form } from '../design/form.tsx'
import { useOrganization } from '../shell/organization-frame.tsx'
import { RoleOptions } from './invitations.tsx'

type Level = ApiKey['level']
/** The form shows the fields of the chosen level, and no others. */
type NewApiKey = Parameters<typeof client.createApiKey>[1]
type ApiKeyValues = { use?: string; name: string; level: Level; role?: WorkspaceRole; workspaceSlug?: string; expiresInDays: string }

const levels: Record<Level, [string, string]> = {
  user: ['Same as yours', 'Can do whatever you can do in this organization. Stops working when you leave.'],
  organization: ['Whole organization', 'Has one role in every workspace. Keeps working when the person who created it leaves.'],
  workspace: ['One workspace', 'Works in this workspace only. The safest choice for a program that serves one client.'],
}

export function CreateApiKey({ onClose, onMinted }: { onClose: () => void; onMinted: (key: MintedKey) => void }) {
  const { slug: orgSlug, role } = useOrganization()
  // Whoever administers a scope mints keys for it; for themselves everyone does.
  const administered =
    useQuery(read('listWorkspaces', { orgSlug })).data?.workspaces.filter((workspace) => workspace.role === 'admin') ?? []
  const offered = (['user', 'organization', 'workspace'] as const).filter(
    (level) => level === 'user' || (level === 'organization' ? role === 'admin' : administered.length > 0),
  )
  const [level, setLevel] = useState<Level>('user')
  const [use, setUse] = useState<'program' | 'agent'>('program')
  // An agent gets as little as it needs: reading, for a while, and nobody's own powers.
  const choices = use === 'agent' ? offered.filter((each) => each !== 'user') : offered
  const prepareFor = (chosen: typeof use) => {
    setUse(chosen)
    setLevel(chosen === 'agent' ? (offered.find((each) => each !== 'user') ?? 'user') : 'user')
  }
  const create = useChange(
    ({ expiresInDays, use: _, ...values }: ApiKeyValues) =>
      client.createApiKey({ orgSlug }, { ...values, ...days(expiresInDays) } as NewApiKey),
    onMinted,
  )
  return (
    <Dialog title="New API key" open onClose={onClose}>
      <Form<ApiKeyValues> error={create.error} busy={create.isPending} onSubmit={(values) => create.mutate(values)}>
        {offered.length > 1 && (
          <SelectField
            name="use"
            label="Prepare"
            help={
              use === 'agent'
                ? 'A viewer key for 90 days. It can read through the MCP server at /mcp, but can’t change anything there.'
                : undefined
            }
            value={use}
            onChange={(event) => prepareFor(event.target.value as typeof use)}
          >
            <option value="program">For a program</option>
            <option value="agent">For an agent</option>
          </SelectField>
        )}
        <TextField
          name="name"
          label="Name"
          help={`What will use the key, for example “${use === 'agent' ? 'Ada’s assistant' : 'Reporting, production'}”.`}
          required
          maxLength={100}
          autoComplete="off"
        />
        <SelectField
          name="level"
          label="Access"
          help={levels[level][1]}
          value={level}
          onChange={(event) => setLevel(event.target.value as Level)}
        >
          {choices.map((each) => (
            <option key={each} value={each}>
              {levels[each][0]}
            </option>
          ))}
        </SelectField>
        {level === 'workspace' && (
          <SelectField name="workspaceSlug" label="Workspace" required>
            {administered.map(({ slug, name }) => (
              <option key={slug} value={slug}>
                {name}
              </option>
            ))}
          </SelectField>
        )}
        {level !== 'user' && (
          <SelectField key={`role-${use}`} name="role" label="Role" defaultValue="viewer">
            <RoleOptions />
          </SelectField>
        )}
        <ExpiryField key={`expiry-${use}`} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={create.isPending}>
            Create key
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}

/** `''` leaves the choice to the service: never for a new key, the length of before for a rotated one. */
export const days = (text: string) => (text ? { expiresInDays: Number(text) } : {})

export const ExpiryField = ({ none = 'Never' }: { none?: string }) => (
  <SelectField name="expiresInDays" label="Expires" defaultValue={none === 'Never' ? '90' : ''}>
    {[30, 90, 180, 365].map((count) => (
      <option key={count} value={count}>
        In {count} days
      </option>
    ))}
    <option value="">{none}</option>
  </SelectField>
)
