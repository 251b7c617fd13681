import { getMe, updateMe } from './me.ts'
import { signUp } from './sign-up.ts'

export const account = { signUp, getMe, updateMe }
