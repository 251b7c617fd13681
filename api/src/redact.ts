// What never enters a log line: the last line of defence, since nothing hands these to the log on purpose.
import { maskEmail } from '@adjoin/contract'

const SECRET_NAME =
  /(token|secret|password|authorization|cookie|sealed|credentials?|verifier)$|^(code|key|keys|x-api-key|api-?key|payload)$/i

/** Our keys, our tokens (43 characters of base64url), and the password in an address. */
const SECRET_TEXT = /adj_[0-9A-Za-z]{16,}|(?<![\w-])[\w-]{43}(?![\w-])|(?<=\/\/)[^\s/@:]*:[^\s/@]*(?=@)/g

/** People's addresses, as drivers and mail servers quote them. It begins where a word does: else a long word is read once from each letter. */
const ADDRESS = /(?<![^\s<>"'`()[\]{},;:/@])[^\s<>"'`()[\]{},;:/@]+@[\w.-]+/g

export const CENSORED = '[redacted]'
const MAX_DEPTH = 6

/** Of all that is logged, most is short and has nothing that either pattern needs. */
const isPlain = (text: string): boolean => text.length < 43 && !text.includes('@') && !text.includes('adj_')

export const redactText = (text: string): string => (isPlain(text) ? text : text.replace(SECRET_TEXT, CENSORED).replace(ADDRESS, maskEmail))

export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth === MAX_DEPTH) return '[deeper]'
  if (value instanceof Error) return errorLine(value, depth)
  if (value instanceof Date) return value
  if (ArrayBuffer.isView(value)) return '[binary]'
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, SECRET_NAME.test(name) && item != null ? CENSORED : redact(item, depth + 1)]),
  )
}

/** What helps to find a defect. Not `detail` and the like, where a driver quotes the row it refused. */
function errorLine(error: Error, depth: number): object {
  const { name, message, stack, cause, code, constraint } = error as Error & { code?: unknown; constraint?: unknown }
  return {
    name,
    message: redactText(message),
    ...(typeof code === 'string' && { code }),
    ...(typeof constraint === 'string' && { constraint }),
    ...(stack && { stack: redactText(stack) }),
    ...(cause !== undefined && { cause: redact(cause, depth + 1) }),
  }
}
