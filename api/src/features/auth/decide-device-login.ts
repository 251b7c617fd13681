import { transact } from '../../audit/transact.ts'
import { type Call, type Handler, person } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { refuse } from '../../refusal.ts'
import { type DeviceRow, deviceColumns, toDeviceLogin } from './device-row.ts'

type DeviceCall = Call<'getDeviceLogin' | 'approveDeviceLogin' | 'denyDeviceLogin'>

/** Whoever knows the code sees an open request; once decided, only the person who decided. */
export const getDeviceLogin: Handler<'getDeviceLogin'> = async (call) => toDeviceLogin((await find(call)) ?? refuse('not_found'))

export const approveDeviceLogin: Handler<'approveDeviceLogin'> = (call) => decide(call, 'approved')
export const denyDeviceLogin: Handler<'denyDeviceLogin'> = (call) => decide(call, 'denied')

/** One statement decides, and names the person: the device signs in as whoever approved it. */
async function decide(call: DeviceCall, status: 'approved' | 'denied') {
  const [decided] = await transact(call, (query) =>
    query<DeviceRow>(sql`update device_logins set status = ${status}, user_id = ${person(call).user.id}
      where user_code = ${call.params.userCode} and status = 'pending' and expires_at > now() returning ${deviceColumns}`),
  )
  if (decided) return toDeviceLogin(decided)
  return refuse((await find(call)) ? 'device_closed' : 'not_found')
}

async function find(call: DeviceCall): Promise<DeviceRow | undefined> {
  const [row] = await call.parts.db.query<DeviceRow>(sql`select ${deviceColumns} from device_logins
    where user_code = ${call.params.userCode} and expires_at > now() and (status = 'pending' or user_id = ${person(call).user.id})`)
  return row
}
