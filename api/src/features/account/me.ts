import { transact } from '../../audit/transact.ts'
import { type Handler, person } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { inEachOrganization } from './in-each-organization.ts'
import { toUser, type UserRow, userColumns } from './user-row.ts'

export const getMe: Handler<'getMe'> = async (call) => {
  const [row] = await call.parts.db.query<UserRow>(sql`select ${userColumns} from users where id = ${person(call).user.id}`)
  return toUser(row!)
}

export const updateMe: Handler<'updateMe'> = (call) =>
  transact(call, async (query, record) => {
    const { user } = person(call)
    const [row] = await query<UserRow & { old_name: string }>(sql`update users u set name = ${call.body.name}, updated_at = now()
      from (select id, name as old_name from users where id = ${user.id} for update) old where u.id = old.id
      returning u.id, u.email, u.name, u.email_verified, u.role, u.image, u.notifications, old.old_name`)
    const changes = [{ field: 'name', from: row!.old_name, to: row!.name }]
    await inEachOrganization(query, user.id, (organizationId) =>
      record('user.updated', { organizationId, target: { type: 'user', id: user.id, name: row!.name }, changes }),
    )
    return toUser(row!)
  })

/** Chosen again: unchanged, and nothing is recorded, since nothing happened. */
export const setMyNotifications: Handler<'setMyNotifications'> = (call) =>
  transact(call, async (query, record) => {
    const { user } = person(call)
    const { mode } = call.body
    const [before] = await query<UserRow>(sql`select ${userColumns} from users where id = ${user.id} for update`)
    if (before!.notifications === mode) return toUser(before!)
    await query(sql`update users set notifications = ${mode}, updated_at = now() where id = ${user.id}`)
    const changes = [{ field: 'notifications', from: before!.notifications, to: mode }]
    await inEachOrganization(query, user.id, (organizationId) =>
      record('user.updated', { organizationId, target: { type: 'user', id: user.id, name: user.name }, changes }),
    )
    return toUser({ ...before!, notifications: mode })
  })
