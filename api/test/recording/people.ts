// What people do with themselves: their name, their sessions, signing in and out.
import { randomUUID } from 'node:crypto'
import { createBrowser } from '../browser.ts'
import { mailedToken, PUBLIC } from '../suite.ts'
import type { RecordingScenarios } from './scenario.ts'

export const people = {
  setMyNotifications: async ({ admin }) => ({
    run: () => admin.setMyNotifications({ mode: 'daily' }),
    refused: () => admin.setMyNotifications({ mode: 'weekly' as 'daily' }),
  }),
  updateMe: async ({ admin }) => ({
    run: () => admin.updateMe({ name: 'Ada King' }),
    refused: () => admin.updateMe({ name: '' }),
  }),
  revokeMySession: async ({ world, organization: { admin } }) => {
    await world.signIn(admin.id, admin.email, admin.name)
    const { sessions } = await admin.client.listMySessions()
    const { id } = sessions.find(({ current }) => !current)!
    return { run: () => admin.client.revokeMySession({ id }), refused: () => admin.client.revokeMySession({ id }) }
  },
  verifySignIn: async ({ world, organization }) => {
    const email = `grace@${organization.domain}`
    await world.client().sendSignInLink({ email })
    const { token } = await mailedToken(world, email)
    const verify = () => world.client().verifySignIn({ token })
    return { run: verify, refused: verify, writes: ['member.provisioned', 'user.signed_in'] }
  },
  finishProviderSignIn: async ({ world, google, organization }) => {
    google.next = { sub: randomUUID(), email: `grace@${organization.domain}`, email_verified: true, name: 'Grace' }
    const browser = createBrowser(PUBLIC, world.url)
    const callback = await browser.visit('/v1/auth/google', ({ pathname }) => pathname.endsWith('/callback'))
    const finish = async () => {
      const { status, next } = await browser.step(callback)
      return { status, location: next?.href }
    }
    return { run: finish, refused: finish, writes: ['member.provisioned', 'user.signed_in'] }
  },
  signOut: async ({ member }) => ({ run: () => member.client.signOut(), refused: () => member.client.signOut() }),
  signOutEverywhere: async ({ member }) => ({
    run: () => member.client.signOutEverywhere(),
    refused: () => member.client.signOutEverywhere(),
  }),
  pollDeviceLogin: async ({ world, member }) => {
    const { deviceCode, userCode } = await world.client().startDeviceLogin({})
    await member.client.approveDeviceLogin({ userCode })
    const poll = () => world.client().pollDeviceLogin({ deviceCode })
    return { run: poll, refused: poll }
  },
} satisfies Partial<RecordingScenarios>
