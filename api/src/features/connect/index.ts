import { finishConnectOAuth } from './finish-connect-oauth.ts'
import { getConnectLink } from './get-connect-link.ts'
import { getConnectResult } from './result.ts'
import { startConnectOAuth } from './start-connect-oauth.ts'
import { submitConnectCredentials } from './submit-connect-credentials.ts'

export const connect = { getConnectLink, startConnectOAuth, submitConnectCredentials, finishConnectOAuth, getConnectResult }
