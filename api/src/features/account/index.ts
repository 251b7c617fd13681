import { getInvitation } from '../invitations/get-invitation.ts'
import { acceptInvitation, declineInvitation, listMyInvitations } from '../invitations/my-invitations.ts'
import { getMe, setMyNotifications, updateMe } from './me.ts'
import { listMySessions, revokeMySession } from './my-sessions.ts'
import { signUp } from './sign-up.ts'

export const account = {
  signUp,
  getMe,
  updateMe,
  setMyNotifications,
  listMySessions,
  revokeMySession,
  listMyInvitations,
  acceptInvitation,
  declineInvitation,
  getInvitation,
}
