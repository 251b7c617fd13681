import { getSession } from './get-session.ts'
import { getSignInLink } from './get-sign-in-link.ts'
import { sendSignInLink } from './send-sign-in-link.ts'
import { signOut, signOutEverywhere } from './sign-out.ts'
import { verifySignIn } from './verify-sign-in.ts'

export const auth = { sendSignInLink, getSignInLink, verifySignIn, getSession, signOut, signOutEverywhere }
