// Where signed checkpoints of the audit trail are written to: AUDIT_CHECKPOINTS.
import { fileURLToPath } from 'node:url'
import { isLocal } from './webhook.ts'

export type CheckpointPlace =
  /** Appended to; in a folder, a file for each day. */
  | { readonly how: 'append'; readonly path: string; readonly folder: boolean }
  /** `PUT` to a bucket, `POST` to a webhook. The address may hold `{name}`, and secrets. */
  | { readonly how: 'PUT' | 'POST'; readonly address: string }

const SENT = /^(?:(PUT|POST) +)?(https?:\/\/\S+)$/

/** Undefined: it is none. http is for stand-ins on this machine, and not for production. */
export function parseCheckpointPlace(text: string, production: boolean): CheckpointPlace | undefined {
  if (/^file:\/\/\/[^/]/.test(text) && URL.canParse(text)) {
    const path = fileURLToPath(text)
    return { how: 'append', path, folder: path.endsWith('/') }
  }
  const [, method = 'POST', address] = SENT.exec(text) ?? []
  if (!address || !URL.canParse(address)) return undefined
  const url = new URL(address)
  if (url.username || url.password || url.hash) return undefined
  return url.protocol === 'https:' || (!production && isLocal(url)) ? { how: method as 'PUT' | 'POST', address } : undefined
}

/** What is sent under one address replaces what was there before, unless each has a name of its own. */
export const isReplaced = (place: CheckpointPlace): boolean => place.how === 'PUT' && !place.address.includes('{name}')

/** Without what could be a secret. */
export const shownPlace = (place: CheckpointPlace): string =>
  place.how === 'append' ? place.path : `${place.how} ${new URL(place.address).origin}/…`
