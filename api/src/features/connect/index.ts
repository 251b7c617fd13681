import { askForNewConnectLink, askForNewRequestLink } from './ask-for-link.ts'
import { chooseConnectAccount } from './choose-account.ts'
import { finishConnectOAuth } from './finish-connect-oauth.ts'
import { getConnectLink } from './get-connect-link.ts'
import { declineConnectItem, passOnConnectItem } from './items.ts'
import { listConnectAccounts } from './list-accounts.ts'
import { getPublicConnectRequest } from './public-request.ts'
import { disconnectByReceipt, getReceipt } from './receipt.ts'
import { renewWithSameLogin } from './renew-others.ts'
import { getConnectResult } from './result.ts'
import { startConnectItemOAuth, startConnectOAuth } from './start-connect-oauth.ts'
import { stopClientMails } from './stop-mails.ts'
import { submitConnectCredentials, submitConnectItemCredentials } from './submit-connect-credentials.ts'
import { submitConnectSettings } from './submit-settings.ts'
import { takeConnectReturn } from './take-return.ts'

export const connect = {
  getConnectLink,
  startConnectOAuth,
  submitConnectCredentials,
  finishConnectOAuth,
  getConnectResult,
  takeConnectReturn,
  renewWithSameLogin,
  listConnectAccounts,
  chooseConnectAccount,
  submitConnectSettings,
  askForNewConnectLink,
  getPublicConnectRequest,
  askForNewRequestLink,
  startConnectItemOAuth,
  submitConnectItemCredentials,
  declineConnectItem,
  passOnConnectItem,
  stopClientMails,
  getReceipt,
  disconnectByReceipt,
}
