import type { Output } from '@adjoin/contract/operations'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { client, live, read, useChange } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import { Empty } from '../design/empty.tsx'
import { Form } from '../design/form.tsx'
import { Icon } from '../design/icons.tsx'
import { ListBar, NoneFound } from '../design/list-bar.tsx'
import { NameAndSlug } from '../design/name-and-slug.tsx'
import { type Column, Table } from '../design/table.tsx'
import { date } from '../format.ts'
import { useList } from '../list.ts'
import { may } from '../may.ts'
import { useOrganization } from '../shell/organization-frame.tsx'
import { Page } from '../shell/shell.tsx'
import { Counts, RoleBadge } from './workspace-marks.tsx'

type ListedWorkspace = Output<'listWorkspaces'>['workspaces'][number]

export function Workspaces() {
  const { slug: orgSlug, name, role } = useOrganization()
  const { data } = useSuspenseQuery(live(read('listWorkspaces', { orgSlug })))
  const mayCreate = may('createWorkspace', { organization: role })
  const columns: Column<ListedWorkspace>[] = [
    {
      name: 'Workspace',
      lead: true,
      sort: ({ name }) => name,
      cell: ({ slug, name }) => (
        <span className="flex min-w-0 items-baseline gap-x-2.5">
          <Link
            to="/organizations/$orgSlug/workspaces/$workspaceSlug"
            params={{ orgSlug, workspaceSlug: slug }}
            className="truncate font-medium"
          >
            {name}
          </Link>
          <span className="truncate font-mono text-faint text-tiny max-md:hidden">{slug}</span>
        </span>
      ),
    },
    {
      name: 'Integrations',
      bare: true,
      sort: ({ integrationCounts }) => Object.values(integrationCounts).reduce((sum, count) => sum + count, 0),
      cell: ({ integrationCounts }) => <Counts counts={integrationCounts} none="no integrations" />,
    },
    // Where it is the same everywhere, it tells nothing.
    ...(new Set(data.workspaces.map(({ role }) => role)).size > 1 ? [roleColumn] : []),
    { name: 'Created', minor: true, sort: ({ createdAt }) => Date.parse(createdAt), cell: ({ createdAt }) => date(createdAt) },
  ]
  const list = useList(data.workspaces, {
    columns,
    text: ({ name, slug }) => `${name} ${slug}`,
    filters: [{ name: 'state', label: 'State', any: 'Any state', of: stateOf }],
  })
  return (
    <Page
      title="Workspaces"
      of={name}
      lead="One for each client, with its own people, keys and integrations."
      action={mayCreate && <Create orgSlug={orgSlug} />}
    >
      <div className="card overflow-clip">
        <ListBar list={list} noun="workspaces" placeholder="Name or slug…" />
        {list.rows.length ? (
          <Table label="Workspaces" columns={columns} rows={list.rows} id={({ id }) => id} sorting={list.sorting} oneLine />
        ) : data.workspaces.length ? (
          <NoneFound list={list} noun="workspaces" />
        ) : (
          <Empty icon="layers" title="No workspaces yet">
            {mayCreate
              ? 'Create one for your first client. Then add integrations and invite people to it.'
              : 'Ask an admin of the organization to create one or give you access to one.'}
          </Empty>
        )}
      </div>
    </Page>
  )
}

const roleColumn: Column<ListedWorkspace> = {
  name: 'Your role',
  minor: true,
  sort: ({ role }) => role,
  cell: (workspace) => <RoleBadge {...workspace} />,
}

/** The worst of it. */
const stateOf = ({ integrationCounts: { error, pending, active } }: ListedWorkspace) =>
  error ? 'in error' : pending ? 'pending' : active ? 'active' : 'nothing active'

function Create({ orgSlug }: { orgSlug: string }) {
  const asked = useLocation({ select: ({ hash }) => hash === 'new' })
  const [open, setOpen] = useState(asked)
  const navigate = useNavigate()
  const create = useChange(
    (body: { name: string; slug: string }) => client.createWorkspace({ orgSlug }, body),
    ({ slug }) => navigate({ to: '/organizations/$orgSlug/workspaces/$workspaceSlug', params: { orgSlug, workspaceSlug: slug } }),
  )
  return (
    <>
      <Button look="primary" onClick={() => setOpen(true)}>
        <Icon name="plus" /> New workspace
      </Button>
      <Dialog title="New workspace" open={open} onClose={() => setOpen(false)}>
        <Form<{ name: string; slug: string }>
          error={create.error}
          codes={{ slug_taken: 'slug' }}
          busy={create.isPending}
          onSubmit={(values) => create.mutate(values)}
        >
          <NameAndSlug name="name" label="Name" slug="slug" under={`/organizations/${orgSlug}/workspaces/`} />
          <DialogActions>
            <Button onClick={() => setOpen(false)}>Cancel</Button>
            <Button type="submit" look="primary" busy={create.isPending}>
              Create
            </Button>
          </DialogActions>
        </Form>
      </Dialog>
    </>
  )
}
