import type { Output } from '@adjoin/contract/operations'
import type { BulkAction } from '@adjoin/contract/providers'
import { useState } from 'react'
import { client, useChange } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Confirm } from '../design/confirm.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import { toast } from '../design/toast.tsx'
import { plural } from '../format.ts'
import type { FoundIntegration } from '../overview.ts'

/** As many as the service takes at once. */
const MOST = 200

type Results = Output<'bulkIntegrations'>['results']
type Question = { title: (many: string) => string; text: string; done: (many: string) => string }

const actions: Record<BulkAction, Question & { name: string }> = {
  verify: {
    name: 'Verify',
    title: (many) => `Verify ${many}?`,
    text: 'We’ll check them with their ad systems within the next few minutes.',
    done: (many) => `${many} will be checked soon.`,
  },
  issueConnectLink: {
    name: 'New links',
    title: (many) => `Create new links for ${many}?`,
    text: 'Links that your clients already have stop working immediately. The new ones work for 7 days.',
    done: (many) => `New links created for ${many}.`,
  },
  remind: {
    name: 'Remind',
    title: (many) => `Remind the clients of ${many}?`,
    text: 'Clients with an open request get one email with what is still to be connected.',
    done: (many) => `Reminders sent for ${many}.`,
  },
  enable: {
    name: 'Enable',
    title: (many) => `Enable ${many}?`,
    text: 'We’ll check and renew these connections again.',
    done: (many) => `${many} enabled.`,
  },
  disable: {
    name: 'Disable',
    title: (many) => `Disable ${many}?`,
    text: 'We stop checking and renewing these connections, and their connect links no longer work. You can enable them again at any time.',
    done: (many) => `${many} disabled.`,
  },
}

/** What can be done with all that are selected; it says how each of them ended. */
export function OverviewBulkBar({ orgSlug, selected, onClear }: { orgSlug: string; selected: FoundIntegration[]; onClear: () => void }) {
  const [asked, setAsked] = useState<BulkAction>()
  const [refused, setRefused] = useState<[why: string, names: string[]][]>([])
  const change = useChange(
    (action: BulkAction) => client.bulkIntegrations({ orgSlug }, { action, ids: selected.map(({ id }) => id) }),
    ({ results }, action) => {
      setAsked(undefined)
      const changed = results.filter(({ outcome }) => outcome === 'done' || outcome === 'queued').length
      const unchanged = results.filter(({ outcome }) => outcome === 'unchanged').length
      const said = [
        changed && actions[action].done(plural(changed, 'integration')),
        unchanged && `${plural(unchanged, 'integration')} didn’t need a change.`,
      ]
      if (changed || unchanged) toast(said.filter(Boolean).join(' '))
      setRefused(reasonsOf(results, selected))
      onClear()
    },
  )
  const many = plural(selected.length, 'integration')
  return (
    <>
      {selected.length > 0 && (
        <section
          aria-label="Selection"
          className="sticky bottom-0 z-20 flex flex-wrap items-center gap-2 border-line border-t bg-surface px-5 py-3 shadow-floating"
        >
          <span className="mr-auto font-medium" role="status">
            {selected.length} selected{selected.length > MOST && `. Select at most ${MOST}.`}
          </span>
          {(Object.keys(actions) as BulkAction[]).map((action) => (
            <Button key={action} size="small" disabled={selected.length > MOST} onClick={() => setAsked(action)}>
              {actions[action].name}
            </Button>
          ))}
          <Button size="small" look="quiet" onClick={onClear}>
            Clear
          </Button>
        </section>
      )}
      {asked && (
        <Confirm
          title={actions[asked].title(many)}
          action={actions[asked].name}
          harmless
          change={change}
          onConfirm={() => change.mutate(asked)}
          onClose={() => {
            change.reset()
            setAsked(undefined)
          }}
        >
          <p>{actions[asked].text}</p>
        </Confirm>
      )}
      <Dialog title="Some integrations were not changed" open={refused.length > 0} onClose={() => setRefused([])}>
        <div className="grid gap-4">
          {refused.map(([why, names]) => (
            <div key={why}>
              <p className="text-soft">{why}</p>
              <p className="wrap-anywhere font-medium">{listed(names)}</p>
            </div>
          ))}
          <DialogActions>
            <Button look="primary" onClick={() => setRefused([])}>
              OK
            </Button>
          </DialogActions>
        </div>
      </Dialog>
    </>
  )
}

const NAMED = 5
export const listed = (names: string[]) =>
  names.length > NAMED ? `${names.slice(0, NAMED).join(', ')} and ${names.length - NAMED} more` : names.join(', ')

/** The refused ones by why, each reason once. */
export function reasonsOf(results: Results, selected: FoundIntegration[]): [why: string, names: string[]][] {
  const names = new Map(selected.map(({ id, name }) => [id, name]))
  const reasons = new Map<string, string[]>()
  for (const { id, outcome, detail = 'This is not possible now.' } of results)
    if (outcome === 'refused') reasons.set(detail, [...(reasons.get(detail) ?? []), names.get(id) ?? id])
  return [...reasons]
}
