import type { ListedOperation } from '../document.ts'
import { addressOf, credentialOf, type Filled, hasJsonBody, headersOf, parsedBody, pathOf, queryOf, takesAnyBody } from '../request.ts'

const WORDS: Record<string, string> = { true: 'True', false: 'False', null: 'None' }

/** JSON, as Python writes it. */
export function literal(value: unknown, indent = ''): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (value === null || typeof value !== 'object') return WORDS[String(value)] ?? String(value)
  const isList = Array.isArray(value)
  const deeper = `${indent}    `
  const parts = isList
    ? value.map((one) => literal(one, deeper))
    : Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${literal(one, deeper)}`)
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  const line = `${open}${parts.join(', ')}${close}`
  if (line.length + indent.length <= 76 && !line.includes('\n')) return line
  return `${open}\n${parts.map((part) => `${deeper}${part},`).join('\n')}\n${indent}${close}`
}

const CREDENTIAL = {
  key: ['"x-api-key": os.environ["ADJOIN_API_KEY"]'],
  token: ['"authorization": "Bearer " + os.environ["ADJOIN_TOKEN"]'],
  none: [],
}

export function python(entry: ListedOperation, filled: Filled, server: string): string {
  const credential = CREDENTIAL[credentialOf(entry)]
  const body = filled.body.trim()
  const value = parsedBody(filled)
  const query = queryOf(entry, filled)
  const sendsText = takesAnyBody(entry) && body !== ''
  const headers = [
    ...credential,
    ...headersOf(entry, filled).map(([name, text]) => `${JSON.stringify(name.toLowerCase())}: ${JSON.stringify(text)}`),
    ...(sendsText ? ['"content-type": "application/json"'] : []),
  ]
  const path = query.length && !takesAnyBody(entry) ? pathOf(entry, filled) : addressOf(entry, filled)
  const shown = [
    `    ${JSON.stringify(server + path)},`,
    ...(headers.length ? [`    headers={${headers.join(', ')}},`] : []),
    ...(query.length && path === pathOf(entry, filled) ? [`    params=${literal(Object.fromEntries(query), '    ')},`] : []),
    ...(hasJsonBody(entry) && value !== undefined ? [`    json=${literal(value, '    ')},`] : []),
    ...(sendsText ? [`    data=${JSON.stringify(body)},`] : []),
  ]
  const isEmpty = '204' in entry.responses && !('200' in entry.responses)
  const isJson = Object.values(entry.responses).some(({ content }) => content?.['application/json'] || content?.['*/*'])
  return [
    ...(credential.length ? ['import os'] : []),
    'import requests',
    '',
    `answer = requests.${entry.method.toLowerCase()}(`,
    ...shown,
    ')',
    'answer.raise_for_status()',
    ...(isEmpty ? [] : [isJson ? 'print(answer.json())' : 'print(answer.text)']),
  ].join('\n')
}
