import { approveDeviceLogin, denyDeviceLogin, getDeviceLogin } from './decide-device-login.ts'
import { getSession } from './get-session.ts'
import { getSignInLink } from './get-sign-in-link.ts'
import { pollDeviceLogin } from './poll-device-login.ts'
import { finishProviderSignIn, startProviderSignIn } from './provider-sign-in.ts'
import { sendSignInLink } from './send-sign-in-link.ts'
import { signOut, signOutEverywhere } from './sign-out.ts'
import { startDeviceLogin } from './start-device-login.ts'
import { verifySignIn } from './verify-sign-in.ts'

export const auth = {
  sendSignInLink,
  getSignInLink,
  verifySignIn,
  startProviderSignIn,
  finishProviderSignIn,
  getSession,
  signOut,
  signOutEverywhere,
  startDeviceLogin,
  pollDeviceLogin,
  getDeviceLogin,
  approveDeviceLogin,
  denyDeviceLogin,
}
