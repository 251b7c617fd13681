import { cancelConnectRequest, updateConnectRequest } from './change.ts'
import { createConnectRequest } from './create.ts'
import { getConnectRequest, listConnectRequests } from './read.ts'
import { renewConnectRequest, sendConnectRequest } from './send.ts'

export const connectRequests = {
  listConnectRequests,
  createConnectRequest,
  getConnectRequest,
  updateConnectRequest,
  cancelConnectRequest,
  sendConnectRequest,
  renewConnectRequest,
}
