import { useNavigate } from '@tanstack/react-router'
import { useLayoutEffect, useRef, useState } from 'react'
import { type CatalogueProvider, client, useChange, type WorkspaceParams } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Card } from '../design/card.tsx'
import { Form } from '../design/form.tsx'
import { toast } from '../design/toast.tsx'
import type { FieldValues } from '../draft.ts'
import type { OwnRoles } from '../may.ts'
import { explain } from '../problem.ts'
import { draftOf, type RequestDraft, requestBody } from '../request-draft.ts'
import type { tabDraft } from '../tab-draft.ts'
import { LifetimeField, ReturnUrlField } from './create-integration.tsx'
import { ClientFields, RemindersField, RequestWords } from './request-fields.tsx'
import { RequestItemFields } from './request-item-fields.tsx'

type Props = {
  place: WorkspaceParams
  providers: CatalogueProvider[]
  standing: OwnRoles
  /** What the fields begin with. */
  first: RequestDraft
  saved: ReturnType<typeof tabDraft<RequestDraft>>
}

/** If the request can't be emailed, it is still created: we say so, and its page offers to try again. */
async function createAndSend(place: WorkspaceParams, body: Parameters<typeof client.createConnectRequest>[1], send: boolean) {
  const { id } = await client.createConnectRequest(place, body)
  const emailed = send && client.sendConnectRequest({ ...place, requestId: id })
  return {
    id,
    ...(emailed &&
      (await emailed.then(
        () => ({ sent: true }),
        (error: unknown) => ({ refusal: explain(error).detail }),
      ))),
  }
}

export function CreateRequest({ place, providers, standing, first, saved }: Props) {
  const navigate = useNavigate()
  const box = useRef<HTMLDivElement>(null)
  const [items, setItems] = useState(first.items)
  const [email, setEmail] = useState(first.values.clientEmail ?? '')
  const typed = () => Object.fromEntries(new FormData(box.current!.querySelector('form')!)) as FieldValues
  const save = () => saved.write(draftOf(typed(), items))
  // Adding or removing an item changes no field, so it is saved here.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the items change
  useLayoutEffect(() => {
    if (items !== first.items) save()
  }, [items])
  const create = useChange(
    ({ send, ...values }: FieldValues) => createAndSend(place, requestBody(draftOf(values, items), providers), Boolean(send)),
    async ({ id, sent, refusal }: { id: string; sent?: boolean; refusal?: string }) => {
      saved.clear()
      if (refusal) toast(`The request was created, but not emailed. ${refusal}`, { bad: true })
      else toast(sent ? `Request created and emailed to ${email}.` : 'Request created. Copy the link and send it to your client.')
      await navigate({
        to: '/organizations/$orgSlug/workspaces/$workspaceSlug/requests/$requestId',
        params: { ...place, requestId: id },
      })
    },
  )
  const { values } = first
  return (
    <div ref={box} onInput={save}>
      <Form<FieldValues> error={create.error} busy={create.isPending} onSubmit={(values) => create.mutate(values)}>
        <RequestItemFields place={place} providers={providers} standing={standing} items={items} onChange={setItems} />
        <Card title="What your client reads">
          <div className="grid max-w-lg gap-5">
            <RequestWords {...values} />
          </div>
        </Card>
        <Card title="Client" note="Leave this empty to send the link yourself.">
          <div className="grid max-w-lg gap-5">
            <ClientFields {...values} onEmail={setEmail} />
            {email && <RemindersField on={!values.clientEmail || values.reminders === 'on'} />}
          </div>
        </Card>
        <Card title="Link">
          <div className="grid max-w-lg gap-5">
            <LifetimeField days={values.expiresInDays ?? '14'} />
            <ReturnUrlField value={values.returnUrl} />
          </div>
        </Card>
        <div className="flex flex-wrap items-center gap-2">
          <Button
            type="submit"
            look="primary"
            busy={create.isPending}
            disabled={items.length === 0}
            {...(email && { name: 'send', value: 'yes' })}
          >
            {email ? 'Create and email' : 'Create request'}
          </Button>
          {email && (
            <Button type="submit" disabled={items.length === 0 || create.isPending}>
              Create without emailing
            </Button>
          )}
          {items.length === 0 && <p className="text-small text-soft">Add what your client should connect first.</p>}
        </div>
      </Form>
    </div>
  )
}
