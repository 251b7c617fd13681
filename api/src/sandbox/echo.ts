/** The answer of a careless system: it repeats the credentials it was called with, spelled in every usual way. */
import { basicOf, type Reply, type TwinRequest } from './twin.ts'

/** Where systems look for what must not be repeated. */
const CARRIERS = ['authorization', 'access-token', 'ttd-auth', 'developer-token', 'developertoken']

export function echo(request: TwinRequest): Reply {
  const values = CARRIERS.flatMap((name) => request.headers[name] ?? [])
  const secrets = [...values, ...values.map((value) => value.replace(/^\w+ /, '')), ...basicOf(request).filter(Boolean)]
  const encoded = secrets.flatMap((secret) => [percent(secret), encodeURIComponent(secret), ...base64(secret)])
  return {
    status: 200,
    headers: {
      'content-type': `application/json; charset=utf-8; repeated="${secrets.at(-1)}"`,
      location: `https://${request.host}${request.path}?token=${secrets.map(encodeURIComponent)}`,
      'x-request-id': secrets.at(-1) ?? '',
      'x-trace-id': [...secrets, ...encoded].join(' '),
    },
    // Written by hand: JSON.stringify would escape the backslashes.
    body: `{"plain":${JSON.stringify(secrets)},"encoded":${JSON.stringify(encoded)},"escaped":[${secrets.map((secret) => `"${unicode(secret)}"`)}]}`,
  }
}

const bytesOf = (text: string, prefix: string): string =>
  [...Buffer.from(text)].map((byte) => `${prefix}${byte.toString(16).padStart(prefix === '%' ? 2 : 4, '0')}`).join('')
const percent = (text: string) => bytesOf(text, '%')
const unicode = (text: string) => bytesOf(text, '\\u')
/** What stands before it decides how it is cut into threes. */
const base64 = (text: string) =>
  ['', 'x', 'xy'].flatMap((before) => (['base64', 'base64url'] as const).map((as) => Buffer.from(before + text).toString(as)))
