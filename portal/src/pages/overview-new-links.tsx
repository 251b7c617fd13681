import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client, read, useChange } from '../api.ts'
import { Button } from '../design/button.tsx'
import { CopyButton } from '../design/copy-button.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import { Loaded } from '../design/loaded.tsx'
import { Notice } from '../design/notice.tsx'
import { Refusal } from '../design/refusal.tsx'
import { plural } from '../format.ts'
import { type FoundIntegration, leadOf, problemsOf, stepOf } from '../overview.ts'
import { listed, reasonsOf } from './overview-bulk.tsx'

/** As many as the service takes at once. */
const MOST = 200

type NewLinksProps = { orgSlug: string; workspaceSlug?: string | undefined; mayChange: (workspaceSlug: string) => boolean }

/** All clients who must act, in one go: those without a working link get one, and all links can be copied. */
export function NewLinks(props: NewLinksProps) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        Links for all…
      </Button>
      {open && <LinksDialog {...props} onClose={() => setOpen(false)} />}
    </>
  )
}

function LinksDialog({ orgSlug, workspaceSlug, mayChange, onClose }: NewLinksProps & { onClose: () => void }) {
  const query = useQuery(read('listOrganizationIntegrations', { orgSlug, workspace: workspaceSlug, mustAct: 'client', limit: MOST }))
  const [refused, setRefused] = useState<ReturnType<typeof reasonsOf>>([])
  const waiting = query.data?.integrations ?? []
  const without = problemsOf(waiting)
    .map((problem) => leadOf(problem, mayChange))
    .filter((one) => stepOf(one) === 'issue' && mayChange(one.workspace.slug))
  const ready = waiting.filter((one) => stepOf(one) === 'copy')
  const issue = useChange(
    () => client.bulkIntegrations({ orgSlug }, { action: 'issueConnectLink', ids: without.map(({ id }) => id) }),
    ({ results }) => setRefused(reasonsOf(results, without)),
  )
  const asks = without.length > 0 && !issue.isSuccess
  return (
    <Dialog title={asks ? 'Create new links?' : 'Links for your clients'} open onClose={onClose} wide={!asks}>
      <Loaded query={query}>
        {() => (
          <div className="grid gap-4">
            {asks ? (
              <p className="text-soft">
                {plural(without.length, 'client connection')} {without.length === 1 ? 'has' : 'have'} no working link. Each gets a new one
                that works for 7 days.
                {ready.length > 0 && ` The other ${plural(ready.length, 'link')} stay as they are.`}
              </p>
            ) : (
              <ReadyLinks integrations={ready} />
            )}
            {issue.error && <Refusal error={issue.error} />}
            {refused.map(([why, names]) => (
              <Notice key={why} tone="warn" title={why} detail={listed(names)} />
            ))}
            <DialogActions>
              {asks ? (
                <>
                  <Button onClick={onClose}>Cancel</Button>
                  <Button look="primary" data-autofocus busy={issue.isPending} onClick={() => issue.mutate()}>
                    Create {plural(without.length, 'link')}
                  </Button>
                </>
              ) : (
                <>
                  {ready.length > 0 && <CopyButton text={asText(ready)} label="Copy all" />}
                  <Button look="primary" onClick={onClose}>
                    Done
                  </Button>
                </>
              )}
            </DialogActions>
          </div>
        )}
      </Loaded>
    </Dialog>
  )
}

const asText = (integrations: FoundIntegration[]) =>
  integrations.map(({ name, workspace, connectLink }) => `${workspace.name}: ${name}\n${connectLink!.connectUrl}`).join('\n\n')

const ReadyLinks = ({ integrations }: { integrations: FoundIntegration[] }) =>
  integrations.length ? (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard has to reach it
    <section tabIndex={0} aria-label="Links" className="-mx-5 max-h-[50vh] overflow-y-auto border-line border-y">
      <ul className="divide-y divide-line">
        {integrations.map(({ id, name, workspace, connectLink }) => (
          <li key={id} className="flex items-center gap-3 px-5 py-1.5">
            <span className="min-w-0 flex-1 truncate">
              <span className="font-medium">{workspace.name}</span> <span className="text-soft">{name}</span>
            </span>
            <CopyButton text={connectLink!.connectUrl} of={name} />
          </li>
        ))}
      </ul>
    </section>
  ) : (
    <p className="text-soft">No client has a link. Open an integration to create one.</p>
  )
