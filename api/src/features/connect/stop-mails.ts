import { transact } from '../../audit/transact.ts'
import type { Handler } from '../../call.ts'
import { organizationOf } from '../../db/directory.ts'
import { sql } from '../../db/sql.ts'
import { refuse } from '../../refusal.ts'
import { stopTokenHash } from '../connect-requests/client-mailbox.ts'
import { client } from './note-start.ts'

/** For good, and for all of the organization's requests. Again: the same answer, and nothing is recorded. */
export const stopClientMails: Handler<'stopClientMails'> = async ({ parts, params, origin }) => {
  const hash = stopTokenHash(parts, params.token)
  const [found] = await parts.db.query<{ organization_id: string; name: string }>(sql`select m.organization_id, o.name from client_mails m
    join organizations o on o.id = m.organization_id 
    where m.organization_id = ${await organizationOf(parts.db, hash)} and m.token_hash = ${hash}`)
  const { organization_id: id, name } = found ?? refuse('not_found')
  await transact({ parts, organization: { id }, origin, via: 'connect' }, async (query, record) => {
    const [stopped] = await query<{ shown: string }>(sql`update client_mails set stopped_at = now()
      where organization_id = ${id} and token_hash = ${hash} and stopped_at is null returning shown`)
    if (stopped)
      record('connect_request.mails_stopped', {
        actor: { ...client, name: 'Email' },
        target: { type: 'client', id: hash.toString('hex').slice(0, 16), name: stopped.shown },
      })
  })
  return { organization: { name } }
}
