import { clearSessionCookie } from '../../access/credential.ts'
import { type Handler, person } from '../../call.ts'
import { addCookie } from './cookies.ts'
import { endSessions } from './end-sessions.ts'

export const signOut: Handler<'signOut'> = async (call) => {
  await endSessions(call, { id: person(call).sessionId })
  addCookie(call.headers, clearSessionCookie(call.parts.config))
}

export const signOutEverywhere: Handler<'signOutEverywhere'> = async (call) => {
  await endSessions(call, 'all')
  addCookie(call.headers, clearSessionCookie(call.parts.config))
}
