import type { Output } from '@adjoin/contract/operations'
import type { WorkspaceParams } from './api.ts'
import type { Tone } from './design/notice.tsx'

export type ConnectRequest = Output<'getConnectRequest'>
export type ConnectItem = ConnectRequest['items'][number]
export type RequestParams = WorkspaceParams & { requestId: string }

type Words = { words: string; tone: Tone | 'quiet' }

/** Its status; `declined`: complete, because the client left everything out. */
export type Stand = ConnectRequest['status'] | 'declined'

export const requestWords: Record<Stand, Words> = {
  open: { words: 'Waiting for client', tone: 'info' },
  partial: { words: 'In progress', tone: 'info' },
  complete: { words: 'Complete', tone: 'good' },
  declined: { words: 'Nothing connected', tone: 'quiet' },
  expired: { words: 'Expired', tone: 'warn' },
  canceled: { words: 'Canceled', tone: 'quiet' },
}

export const itemWords: Record<ConnectItem['status'], Words> = {
  pending: { words: 'Waiting', tone: 'quiet' },
  failed: { words: 'Failed', tone: 'bad' },
  unfinished: { words: 'Not finished', tone: 'warn' },
  connected: { words: 'Connected', tone: 'good' },
  declined: { words: 'Not used', tone: 'quiet' },
}

/** The client can still work on it, so a reminder makes sense. */
export const isOpen = ({ status }: Pick<ConnectRequest, 'status'>): boolean => status === 'open' || status === 'partial'
/** Nothing can be renewed or changed any more. An expired request is neither open nor closed. */
export const isClosed = ({ status }: Pick<ConnectRequest, 'status'>): boolean => status === 'complete' || status === 'canceled'
export const isWaiting = ({ status }: Pick<ConnectItem, 'status'>): boolean =>
  status === 'pending' || status === 'failed' || status === 'unfinished'
/** Clients are mailed only while there is something that they can do. */
export const clientCanAct = ({ items }: Pick<ConnectRequest, 'items'>): boolean =>
  items.some((item) => isWaiting(item) && item.missing !== 'verification')

export const countItems = ({ items }: Pick<ConnectRequest, 'items'>, ...statuses: ConnectItem['status'][]): number =>
  items.filter(({ status }) => statuses.includes(status)).length

export const standOf = (request: Pick<ConnectRequest, 'status' | 'items'>): Stand =>
  request.status === 'complete' && !countItems(request, 'connected') ? 'declined' : request.status

/** `2 of 3 connected`, and what the client does not use. */
export function progressOf(request: Pick<ConnectRequest, 'items'>): string {
  const declined = countItems(request, 'declined')
  const unfinished = countItems(request, 'unfinished')
  return [
    `${countItems(request, 'connected')} of ${request.items.length} connected`,
    unfinished && `${unfinished} not finished`,
    declined && `${declined} not used`,
  ]
    .filter(Boolean)
    .join(', ')
}

/** Viewers do not see where a client reads mail. */
export const clientOf = ({ clientName, clientEmail }: Pick<ConnectRequest, 'clientName' | 'clientEmail'>): string | null =>
  clientName || clientEmail

/** The open request that asks for an integration: there is at most one. */
export const requestFor = (requests: ConnectRequest[], integrationId: string): ConnectRequest | undefined =>
  requests.find((request) => isOpen(request) && request.items.some((item) => item.integrationId === integrationId && isWaiting(item)))
