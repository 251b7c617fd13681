import { problems } from '@adjoin/contract/problems'
import { providerIds } from '@adjoin/contract/providers'
import { expect, test } from 'vitest'
import { errorFacts, factsOf, operationFacts, providerFacts } from '../src/docs/data.ts'
import { typeOf } from '../src/docs/document.ts'
import { causes } from '../src/docs/error-causes.ts'
import { exampleOf } from '../src/docs/example.ts'
import { guides, guideText } from '../src/docs/guides/index.ts'
import { blocksOf, headingsOf } from '../src/docs/prose-blocks.ts'
import { indexOf, searched } from '../src/docs/search-index.ts'
import { entries, openApiDocument } from './docs-document.ts'

const index = indexOf(openApiDocument)
const found = (typed: string) => searched(index, typed).map(({ to }) => to)

test('every link in a guide leads to something', () => {
  const places = new Set([...index.map(({ to }) => to), '/docs/reference', '/docs/errors', '/docs/providers'])
  const elsewhere = ['/signup', '/dev/mailbox', '/account']
  for (const { slug, text } of guides)
    for (const [, to] of text.matchAll(/\]\((\/[^)#]*)/g))
      expect(places.has(to!) || elsewhere.includes(to!), `${slug} links to ${to}`).toBe(true)
})

test('every guide is read as it was meant: no mark is left over, and every example of one thing is one', () => {
  for (const guide of guides)
    for (const block of blocksOf(guideText(guide, 'https://a.example'))) {
      if (block.kind === 'paragraph') expect(block.text, guide.slug).not.toMatch(/^(#|\||- |```)/)
      if (block.kind === 'tabs' || block.kind === 'code') continue
      expect(JSON.stringify(block), guide.slug).not.toContain('```')
    }
  const [tabs] = blocksOf('```curl\ncurl a\n```\n```cli\nadjoin a\n```')
  expect(tabs).toEqual({ kind: 'tabs', code: { curl: 'curl a', CLI: 'adjoin a' } })
  expect(headingsOf('## Verify the signature\n')).toEqual([{ text: 'Verify the signature', id: 'verify-the-signature' }])
})

test('everything is found by its name, by what it does, and by what people call it', () => {
  expect(found('rotateApiKey')[0]).toBe('/docs/reference/rotateApiKey')
  expect(found('post rotate')).toContain('/docs/reference/rotateApiKey')
  expect(found('google ads')[0]).toBe('/docs/providers/google_ads')
  expect(found('slug_taken')[0]).toBe('/docs/errors/slug_taken')
  expect(found('signature')).toContain('/docs/guides/webhooks')
  expect(found('')).toHaveLength(guides.length)
  expect(found('zebra crossing')).toEqual([])
})

test('the data is of every operation, error and ad system', () => {
  expect(Object.keys(operationFacts)).toEqual(
    entries
      .map(({ operationId }) => operationId)
      .filter((id) => factsOf(id))
      .sort(byOrder),
  )
  expect(errorFacts.map(({ code }) => code)).toEqual(Object.keys(problems))
  expect(Object.keys(causes)).toEqual(Object.keys(problems))
  expect(providerFacts.map(({ provider }) => provider)).toEqual(providerIds)
})
const order = Object.keys(operationFacts)
const byOrder = (one: string, other: string) => order.indexOf(one) - order.indexOf(other)

test('every answer can be shown', () => {
  for (const { operationId, responses } of entries)
    for (const { content } of Object.values(responses)) {
      const schema = content?.['application/json']?.schema
      if (schema) expect(JSON.stringify(exampleOf(openApiDocument, schema)), operationId).not.toContain('undefined')
    }
  expect(typeOf({ anyOf: [{ type: 'string' }, { type: 'null' }] })).toBe('string or null')
})
