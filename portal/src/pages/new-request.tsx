import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { read, type WorkspaceParams } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Empty } from '../design/empty.tsx'
import { Notice } from '../design/notice.tsx'
import { may } from '../may.ts'
import type { RequestDraft } from '../request-draft.ts'
import { Page } from '../shell/shell.tsx'
import { useWorkspace } from '../shell/workspace-frame.tsx'
import { tabDraft } from '../tab-draft.ts'
import { CreateRequest } from './create-request.tsx'

/** One link for everything that a client has to connect. */
export function NewRequest() {
  const place = useParams({ from: '/signed-in/organizations/$orgSlug/workspaces/$workspaceSlug' })
  const workspace = useWorkspace()
  const standing = { workspace: workspace.role }
  return (
    <Page
      title="New request"
      of={workspace.name}
      narrow
      lead={
        <span className="flex flex-wrap gap-x-2.5">
          <Link to="/organizations/$orgSlug/workspaces/$workspaceSlug" params={place} className="link wrap-anywhere min-w-0">
            {workspace.name}
          </Link>
          <Link to="/organizations/$orgSlug/workspaces/$workspaceSlug/requests" params={place} className="link">
            Requests
          </Link>
        </span>
      }
    >
      {may('createConnectRequest', standing) ? (
        <RequestForm key={`${place.orgSlug}/${place.workspaceSlug}`} place={place} />
      ) : (
        <div className="card">
          <Empty icon="send" title="For members of this workspace">
            Viewers can’t send requests. Ask an admin for a higher role, or ask a member to send it.
          </Empty>
        </div>
      )}
    </Page>
  )
}

/** Resumes the draft that was left in this tab, if there is one. */
function RequestForm({ place }: { place: WorkspaceParams }) {
  const { role } = useWorkspace()
  const { data } = useSuspenseQuery(read('listProviders'))
  const saved = tabDraft<RequestDraft>(`request/${place.orgSlug}/${place.workspaceSlug}`)
  const [start, setStart] = useState(() => ({ draft: saved.read(), count: 0 }))
  const startOver = () => {
    saved.clear()
    setStart(({ count }) => ({ draft: undefined, count: count + 1 }))
  }
  return (
    <>
      {start.draft && (
        <Notice title="We kept what you typed" detail="This request hasn’t been created yet.">
          <Button size="small" onClick={startOver}>
            Start over
          </Button>
        </Notice>
      )}
      <CreateRequest
        key={start.count}
        place={place}
        providers={data.providers}
        standing={{ workspace: role }}
        first={start.draft ?? { values: {}, items: [] }}
        saved={saved}
      />
    </>
  )
}
