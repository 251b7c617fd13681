import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createProgram } from '../../../cli/src/program.ts'
import { type CodeLanguage, codeLanguages, codeOf } from '../../src/docs/code/index.ts'
import { factsOf } from '../../src/docs/data.ts'
import { isBrowserFlow } from '../../src/docs/document.ts'
import { guides, guideText } from '../../src/docs/guides/index.ts'
import { blocksOf } from '../../src/docs/prose-blocks.ts'
import { addressOf } from '../../src/docs/request.ts'
import { begun, entries, entryOf } from '../docs-document.ts'

const SERVER = 'https://adjoin.agency.example'
const codeFor = (id: string) => codeOf(entryOf(id), begun(entryOf(id)), SERVER)

test('an example names the credential that the operation takes, and has a body that it accepts', () => {
  expect(codeFor('rotateApiKey').curl).toBe(
    `curl '${SERVER}/v1/organizations/agency/api-keys/51d7c8e9-0f3b-4a6e-8c94-7b2e9d1f6a05/rotate' \\
  -H "x-api-key: $ADJOIN_API_KEY" \\
  -H 'content-type: application/json' \\
  -d '{"graceHours":24}'`,
  )
  expect(codeFor('updateMe').curl).toContain('authorization: Bearer $ADJOIN_TOKEN')
  expect(codeFor('getHealth').curl).toBe(`curl '${SERVER}/health'`)
  expect(codeFor('rotateApiKey').CLI).toBe(`adjoin keys rotate 51d7c8e9-0f3b-4a6e-8c94-7b2e9d1f6a05 --org agency --grace-hours 24`)
})

test('every operation has an example in every language, with nothing left open', () => {
  for (const entry of entries)
    for (const language of codeLanguages) {
      const text = codeOf(entry, begun(entry), SERVER)[language]
      expect(text, `${entry.operationId} in ${language}`).not.toMatch(/undefined|\[object|[^$]\{\w+\}/)
      expect(text.length).toBeGreaterThan(10)
    }
})

/** What a guide has shown before, or leaves to the reader. */
const SHOWN_BEFORE = `declare const keyId: string
declare const request: Request
declare const tiktokAds: import('@adjoin/contract').IntegrationCalls
`
const IMPORT = "import { createClient } from '@adjoin/contract/client'\n"
const CLIENT = "const client = createClient({ url: '', headers: {} })\n"

const guideExamples = (language: CodeLanguage): { id: string; code: string }[] =>
  guides.flatMap((guide) =>
    blocksOf(guideText(guide, SERVER)).flatMap((block, at) =>
      block.kind === 'tabs' && block.code[language] ? [{ id: `${guide.slug}-${at}`, code: block.code[language] }] : [],
    ),
  )

const withWhatItNeeds = (code: string): string =>
  [
    /import \{[^}]*createClient/.test(code) ? '' : IMPORT,
    SHOWN_BEFORE,
    /^const client =/m.test(code) ? '' : CLIENT,
    code,
    '\nexport {}\n',
  ].join('')

test('every TypeScript example fits the types of the client', () => {
  const folder = mkdtempSync(join(import.meta.dirname, 'examples-'))
  try {
    for (const entry of entries.filter((one) => !isBrowserFlow(one)))
      writeFileSync(join(folder, `${entry.operationId}.ts`), `${codeOf(entry, begun(entry), SERVER).TypeScript}\nexport {}\n`)
    for (const { id, code } of guideExamples('TypeScript')) writeFileSync(join(folder, `guide-${id}.ts`), withWhatItNeeds(code))
    const config = { extends: '../../../tsconfig.json', include: ['*.ts'], exclude: [] }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    const { stdout } = spawnSync('npx', ['tsc', '--noEmit', '-p', folder], { encoding: 'utf8', cwd: join(import.meta.dirname, '../../..') })
    expect(stdout).toBe('')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

const python = spawnSync('python3', ['--version']).status === 0

test.runIf(python)('every Python example is Python', () => {
  const reference = entries.map((entry) => ({ id: entry.operationId, code: codeOf(entry, begun(entry), SERVER).Python }))
  const list = [...reference, ...guideExamples('Python')]
  const check = 'import ast, json, sys\nfor one in json.load(sys.stdin):\n  ast.parse(one["code"], one["id"])'
  const { stderr } = spawnSync('python3', ['-c', check], { input: JSON.stringify(list), encoding: 'utf8' })
  expect(stderr).toBe('')
})

/** As a shell splits it; what is read from standard input is given instead. */
function wordsOf(line: string): string[] {
  const text = line.replaceAll('\\\n', ' ').replace(/ < token\.txt$/, '')
  const words = text.match(/(?:'(?:[^']|'\\'')*'|[^\s'])+/g) ?? []
  return words.map((word) => word.replaceAll("'\\''", '\u0000').replaceAll("'", '').replaceAll('\u0000', "'"))
}

/** Ask the provider which fields there are before they send them: told apart in the command line's own tests. */
const asksFirst = (id: string) => factsOf(id).command?.flags.field !== undefined

test('every command sends the request that its page shows', async () => {
  const seen: { method: string; url: string; body: string }[] = []
  const server = createServer({ keepAliveTimeout: 0 }, async (request, reply) => {
    let body = ''
    for await (const chunk of request) body += chunk
    seen.push({ method: request.method!, url: request.url!, body })
    reply.writeHead(request.url!.includes('/events') ? 410 : 200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    for (const entry of entries) {
      const { operationId: id, method } = entry
      const filled = begun(entry)
      const [program, ...args] = wordsOf(codeOf(entry, filled, url).CLI)
      if (isBrowserFlow(entry) || asksFirst(id)) continue
      expect(program, id).toBe('adjoin')
      seen.length = 0
      const given = args.map((arg) => (arg === '-' ? 'TOKEN' : arg))
      const stdout = process.stdout.write
      process.stdout.write = () => true
      await createProgram({ HOME: '/nowhere', ADJOIN_URL: url, ADJOIN_TOKEN: 'token' })
        .run(given)
        .finally(() => (process.stdout.write = stdout))
      process.exitCode = 0
      const sent = seen.find(
        (one) => one.method === method && one.url.split('?')[0] === addressOf(entry, filled).replaceAll('RESULT', 'TOKEN').split('?')[0],
      )
      expect(sent, `${id}: ${given.join(' ')} sent ${JSON.stringify(seen)}`).toBeDefined()
      if (factsOf(id).command && filled.body) expect(JSON.parse(sent!.body), id).toEqual(JSON.parse(filled.body))
    }
  } finally {
    server.close()
  }
})
