import { readFileSync } from 'node:fs'
import { call, type PageRequest, type Paging, type ProviderId, pagesFrom } from '@adjoin/contract'
import { type Command, Option } from 'commander'
import type { Context, Flags } from '../context.ts'
import { CommandFailure, EXIT, usage } from '../failure.ts'
import { hasFormat, sayDocument } from '../template.ts'
import { note } from '../terminal.ts'
import { writeBody, writeChunks } from '../write-body.ts'

const METHODS = { GET: 'proxyGet', POST: 'proxyPost', PUT: 'proxyPut', PATCH: 'proxyPatch', DELETE: 'proxyDelete' } as const
type Method = keyof typeof METHODS

interface ApiFlags {
  method?: Method
  header?: string[]
  data?: string
  include?: boolean
  output?: string
  paginate?: boolean
  slurp?: boolean
}

/** The ad system's own API through an integration, in the manner of `gh api`. */
export function addApi(program: Command, open: (flags: Flags) => Context): void {
  const collect = (value: string, before: string[] = []) => [...before, value]
  program
    .command('api')
    .description('Call an ad system through an integration')
    .argument('<integration>', 'ID of the integration (adjoin integrations list)')
    .argument('<path>', 'path as the ad system’s documentation writes it')
    .addOption(new Option('-X, --method <method>', 'default: GET, or POST with --data').choices(Object.keys(METHODS)))
    .option('-H, --header <name:value>', 'a header; repeat it for more', collect)
    .option('-d, --data <body>', 'the body; @FILE reads it from a file, @- from standard input')
    .option('-i, --include', 'print status and headers first')
    .option('-o, --output <file>', 'write the answer to a file')
    .option('--paginate', 'fetch all pages, and print one after the other')
    .option('--slurp', 'with --paginate: print all pages as one JSON array')
    .addHelpText('after', HELP)
    .action(async (id: string, path: string, options: ApiFlags, command: Command) => {
      if (options.slurp && !options.paginate) throw usage('--slurp needs --paginate')
      const context = open(command.optsWithGlobals())
      const body = options.data === undefined ? undefined : bodyOf(options.data)
      const method = options.method ?? (body === undefined ? 'GET' : 'POST')
      const place = { orgSlug: context.org(), workspaceSlug: context.workspace(), id }
      const headers = { accept: '*/*', ...headersOf(options.header ?? []) }
      const send = async (path: string, body: string) => {
        const answer = await call(context.client, METHODS[method], { params: { ...place, path }, body, options: { headers } })
        if (options.include) showHead(answer)
        return answer
      }
      if (options.paginate) return showPages(await pagingOf(context, place), { path, body }, send, options)
      const answer = await send(path, body ?? '')
      if (options.output) await writeBody(answer, options.output)
      else await show(answer)
      expectFine(answer)
    })
}

const HELP = `
Example:
  adjoin api 2c9f… v25/customers/1234567890/googleAds:search \\
    -d '{"query":"SELECT campaign.name FROM campaign"}'

Exits with ${EXIT.adSystem} if the ad system refuses the call, and with the usual codes if Adjoin does.`

const expectFine = ({ status }: Response) => {
  if (status >= 400) throw new CommandFailure(EXIT.adSystem, `The ad system answered with ${status}.`)
}

function showHead(answer: Response): void {
  note`HTTP ${String(answer.status)}\n`
  for (const [name, value] of answer.headers) note`${name}: ${value}\n`
  note`\n`
}

async function pagingOf({ client }: Context, place: Place): Promise<Paging[]> {
  const { provider } = await client.getIntegration(place)
  return (await client.getProvider({ provider: provider as ProviderId })).gateway?.paging ?? []
}

type Place = { orgSlug: string; workspaceSlug: string; id: string }
type Send = (path: string, body: string) => Promise<Response>

/** Page after page; as one array, each of them is written when it is there. */
async function showPages(ways: Paging[], first: { path: string; body: string | undefined }, send: Send, options: ApiFlags): Promise<void> {
  // What is no JSON is sent as it is, and has no second page.
  const json = first.body === undefined ? undefined : parsed(first.body)
  const sendPage = ({ path, body }: PageRequest) => send(path, body === json ? (first.body ?? '') : JSON.stringify(body))
  const pages = pagesFrom(ways, { path: first.path, ...(json !== undefined && { body: json }) }, sendPage)
  const pretty = process.stdout.isTTY && !options.output
  let last: Response | undefined
  async function* written(): AsyncGenerator<Uint8Array> {
    let before = options.slurp ? '[' : ''
    for await (const { answer, text, content } of pages) {
      last = answer
      const page = pretty && content !== undefined ? JSON.stringify(content, null, 2) : text
      yield Buffer.from(options.slurp ? `${before}${page}` : page.endsWith('\n') ? page : `${page}\n`)
      before = ','
    }
    if (options.slurp) yield Buffer.from(']\n')
  }
  await writeChunks(written(), options.output)
  expectFine(last!)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const bodyOf = (data: string): string => (data.startsWith('@') ? readFileSync(data === '@-' ? 0 : data.slice(1), 'utf8') : data)

function headersOf(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(pair) ?? []
      if (!name) throw new CommandFailure(EXIT.usage, `--header takes name:value, not ${pair}`)
      return [name.toLowerCase(), value!]
    }),
  )
}

/**
 * JSON in lines that people can read, on a terminal;
 * everything else, and everything that is piped, as it came.
 */
async function show(answer: Response): Promise<void> {
  const isJson = answer.headers.get('content-type')?.includes('json')
  if (isJson && (process.stdout.isTTY || (hasFormat() && answer.ok))) return sayDocument(await answer.json(), 2)
  await writeBody(answer, undefined)
}
