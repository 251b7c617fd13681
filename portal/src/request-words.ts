import type { Output } from '@adjoin/contract/operations'
import type { WorkspaceParams } from './api.ts'
import type { Tone } from './design/notice.tsx'

export type ConnectRequest = Output<'getConnectRequest'>
export type ConnectItem = ConnectRequest['items'][number]
export type RequestParams = WorkspaceParams & { requestId: string }

type Words = { words: string; tone: Tone | 'quiet' }

export const requestWords: Record<ConnectRequest['status'], Words> = {
  open: { words: 'Waiting for client', tone: 'info' },
  partial: { words: 'Partly connected', tone: 'info' },
  complete: { words: 'Complete', tone: 'good' },
  expired: { words: 'Expired', tone: 'warn' },
  canceled: { words: 'Canceled', tone: 'quiet' },
}

export const itemWords: Record<ConnectItem['status'], Words> = {
  pending: { words: 'Waiting', tone: 'quiet' },
  failed: { words: 'Failed', tone: 'bad' },
  connected: { words: 'Connected', tone: 'good' },
  declined: { words: 'Not used', tone: 'quiet' },
}

/** The client can still work on it, so a reminder makes sense. */
export const isOpen = ({ status }: Pick<ConnectRequest, 'status'>): boolean => status === 'open' || status === 'partial'
/** Nothing can be renewed or changed any more. An expired request is neither open nor closed. */
export const isClosed = ({ status }: Pick<ConnectRequest, 'status'>): boolean => status === 'complete' || status === 'canceled'
export const isWaiting = ({ status }: Pick<ConnectItem, 'status'>): boolean => status === 'pending' || status === 'failed'

export const countItems = ({ items }: Pick<ConnectRequest, 'items'>, ...statuses: ConnectItem['status'][]): number =>
  items.filter(({ status }) => statuses.includes(status)).length

/** `2 of 3 connected`, and what the client does not use. */
export function progressOf(request: Pick<ConnectRequest, 'items'>): string {
  const declined = countItems(request, 'declined')
  return `${countItems(request, 'connected')} of ${request.items.length} connected${declined ? `, ${declined} not used` : ''}`
}

/** Viewers do not see where a client reads mail. */
export const clientOf = ({ clientName, clientEmail }: Pick<ConnectRequest, 'clientName' | 'clientEmail'>): string | null =>
  clientName || clientEmail

/** The open request that asks for an integration: there is at most one. */
export const requestFor = (requests: ConnectRequest[], integrationId: string): ConnectRequest | undefined =>
  requests.find((request) => isOpen(request) && request.items.some((item) => item.integrationId === integrationId && isWaiting(item)))
