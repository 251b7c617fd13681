import type { Client } from '@adjoin/contract/client'
import type { paths } from '@adjoin/contract/paths'
import { problemError } from '@adjoin/contract/problem-error'

/** The operations that need no account. A path that differs from the contract's does not compile. */
const routes = {
  getConnectLink: 'GET /v1/connect/{token}',
  startConnectOAuth: 'POST /v1/connect/{token}/oauth',
  submitConnectCredentials: 'POST /v1/connect/{token}/credentials',
  getConnectResult: 'GET /v1/connect/results/{result}',
  takeConnectReturn: 'POST /v1/connect/results/{result}/return',
  renewWithSameLogin: 'POST /v1/connect/results/{result}/renew-others',
  listConnectAccounts: 'GET /v1/connect/results/{result}/accounts',
  chooseConnectAccount: 'POST /v1/connect/results/{result}/account',
  submitConnectSettings: 'POST /v1/connect/results/{result}/settings',
  askForNewConnectLink: 'POST /v1/connect/{token}/ask',
  getPublicConnectRequest: 'GET /v1/connect/requests/{token}',
  askForNewRequestLink: 'POST /v1/connect/requests/{token}/ask',
  startConnectItemOAuth: 'POST /v1/connect/requests/{token}/items/{itemId}/oauth',
  submitConnectItemCredentials: 'POST /v1/connect/requests/{token}/items/{itemId}/credentials',
  declineConnectItem: 'POST /v1/connect/requests/{token}/items/{itemId}/decline',
  passOnConnectItem: 'POST /v1/connect/requests/{token}/items/{itemId}/pass-on',
  stopClientMails: 'POST /v1/connect/mails/{token}/stop',
  getReceipt: 'GET /v1/connect/receipts/{token}',
  disconnectByReceipt: 'POST /v1/connect/receipts/{token}/disconnect',
} as const satisfies Partial<typeof paths>

type PublicId = keyof typeof routes

const ATTEMPTS = 3

/** Reads are repeated while the service is busy or cannot be reached; what changes something is sent once. */
async function send(route: string, params: Record<string, string>, body?: object): Promise<unknown> {
  const [method, template] = route.split(' ') as [string, string]
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name]!))
  const query = new URLSearchParams(Object.entries(params).filter(([name]) => !template.includes(`{${name}}`)))
  const url = query.size ? `${path}?${query}` : path
  const headers = { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) }
  for (let attempt = 1; ; attempt++) {
    const last = method !== 'GET' || attempt === ATTEMPTS
    const answer = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) }).catch((error: unknown) => {
      if (last) throw error
    })
    const wait = Number(answer?.headers.get('retry-after')) || attempt / 2
    if (answer && (last || wait > 5 || (answer.status !== 503 && answer.status !== 429))) return read(answer)
    await new Promise((resolve) => setTimeout(resolve, wait * 1000))
  }
}

async function read(answer: Response): Promise<unknown> {
  if (!answer.ok) throw await problemError(answer)
  return answer.status === 204 ? undefined : answer.json()
}

/** As the typed client of the contract, without what only those with an account need: every page loads this. */
export const client = Object.fromEntries(
  Object.entries(routes).map(([id, route]) => [id, (params: Record<string, string>, body?: object) => send(route, params, body)]),
) as unknown as Pick<Client, PublicId>
