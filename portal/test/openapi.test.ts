import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { curlOf, entriesOf, exampleOf, found, type OpenApiDocument, typeOf } from '../src/openapi.ts'

const document: OpenApiDocument = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'))
const entries = entriesOf(document)
const named = (id: string) => entries.find(({ operationId }) => operationId === id)!

test('an example to copy has the credential that the operation takes, and a body that it accepts', () => {
  expect(curlOf(document, named('rotateApiKey'), 'https://a.example')).toBe(
    `curl -X POST 'https://a.example/v1/organizations/my-organization/api-keys/ID/rotate' \\
  -H "x-api-key: $ADJOIN_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"graceHours":0,"expiresInDays":1}'`,
  )
  expect(curlOf(document, named('updateMe'), '')).toContain('Authorization: Bearer')
  expect(curlOf(document, named('getHealth'), '')).toBe(`curl '/health'`)
})

test('every operation has a call and an answer that can be shown', () => {
  expect(entries.length).toBeGreaterThan(70)
  for (const entry of entries) {
    expect(curlOf(document, entry, ''), entry.operationId).not.toMatch(/[{]\w+[}]|undefined/)
    for (const { content } of Object.values(entry.responses)) {
      const schema = content?.['application/json']?.schema
      if (schema) expect(JSON.stringify(exampleOf(document, schema)), entry.operationId).not.toContain('undefined')
    }
  }
})

test('operations are found by what they do, by method and by path', () => {
  expect(entries.filter((entry) => found(entry, 'post rotate')).map(({ operationId }) => operationId)).toEqual([
    'rotateApiKey',
    'rotateWebhookSecret',
  ])
  expect(typeOf({ anyOf: [{ type: 'string' }, { type: 'null' }] })).toBe('string or null')
})
