import { transact } from '../../audit/transact.ts'
import type { Call } from '../../call.ts'
import { lockOrganization } from '../organizations/lock.ts'
import { close, openInvitation } from './close-invitation.ts'
import { entryOf } from './invitation-row.ts'

type CancelCall = Call<'cancelOrganizationInvitation'> | Call<'cancelWorkspaceInvitation'>

/** An expired one can be canceled too: then it cannot be brought back to life. */
export const cancelInvitation = (call: CancelCall): Promise<undefined> =>
  transact(call, async (query, record) => {
    await lockOrganization(query, call.organization.id)
    const row = await openInvitation(query, call)
    await close(query, row, 'canceled')
    record('invitation.canceled', entryOf(row))
    return undefined
  })
