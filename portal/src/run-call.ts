import { refusalOf } from '@adjoin/contract/client'
import { client, type IntegrationParams } from './api.ts'

/** A call as a person writes it. */
export type DraftCall = { method: string; path: string; body: string }

/** What the ad system answered. */
export type CallAnswer = {
  status: number
  milliseconds: number
  /** What was read of it, in bytes. */
  size: number
  type: string
  bytes: Blob
  /** More came than is read here. */
  isCut: boolean
}

/** More than a browser should hold for a look at it. */
export const MOST_BYTES = 5 * 1024 * 1024
/** More than a person reads on a page. */
export const MOST_SHOWN = 50 * 1024

/** Sends it with the session of whoever looks at the page. What Adjoin refuses is thrown. */
export async function runCall({ orgSlug, workspaceSlug, id }: IntegrationParams, { method, path, body }: DraftCall): Promise<CallAnswer> {
  const began = performance.now()
  const answer = await client.integration({ org: orgSlug, workspace: workspaceSlug, id }).fetch(path.trim(), {
    method,
    ...(body.trim() && hasBody(method) && { body, headers: { 'content-type': 'application/json' } }),
  })
  const refusal = await refusalOf(answer)
  if (refusal) throw refusal
  const { bytes, isCut } = await readUpTo(answer, MOST_BYTES)
  const type = answer.headers.get('content-type') ?? ''
  return { status: answer.status, milliseconds: Math.round(performance.now() - began), size: bytes.size, type, bytes, isCut }
}

export const hasBody = (method: string): boolean => method !== 'GET' && method !== 'DELETE'

export async function readUpTo(answer: Response, most: number): Promise<{ bytes: Blob; isCut: boolean }> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  const reader = answer.body?.getReader()
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    chunks.push(next.value)
    size += next.value.length
    if (size <= most) continue
    await reader?.cancel()
    return { bytes: new Blob(chunks), isCut: true }
  }
  return { bytes: new Blob(chunks), isCut: false }
}

export const isText = (type: string): boolean => /json|text|xml|csv|javascript|^$/.test(type)

/** In lines that people can read; undefined for what is no text. */
export async function shownText({ bytes, type, isCut }: CallAnswer): Promise<{ text: string; isShortened: boolean } | undefined> {
  if (!isText(type)) return undefined
  const raw = await bytes.text()
  const text = isCut ? raw : prettyJson(raw)
  return { text: text.slice(0, MOST_SHOWN), isShortened: text.length > MOST_SHOWN }
}

function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** `1.2 KB` */
export const sizeInWords = (bytes: number): string => {
  if (bytes < 1000) return `${bytes} B`
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
export const durationInWords = (milliseconds: number): string =>
  milliseconds < 1000 ? `${milliseconds} ms` : `${(milliseconds / 1000).toFixed(1)} s`
