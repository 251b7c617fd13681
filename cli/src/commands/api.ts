import { readFileSync } from 'node:fs'
import { call } from '@adjoin/contract'
import { type Command, Option } from 'commander'
import type { Context, Flags } from '../context.ts'
import { CommandFailure, EXIT } from '../failure.ts'
import { note, sayJson } from '../terminal.ts'
import { writeBody } from '../write-body.ts'

const METHODS = { GET: 'proxyGet', POST: 'proxyPost', PUT: 'proxyPut', PATCH: 'proxyPatch', DELETE: 'proxyDelete' } as const
type Method = keyof typeof METHODS

interface ApiFlags {
  method?: Method
  header?: string[]
  data?: string
  include?: boolean
  output?: string
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
    .addHelpText(
      'after',
      '\nExample:\n  adjoin api 2c9f… v25/customers/1234567890/googleAds:search \\\n    -d \'{"query":"SELECT campaign.name FROM campaign"}\'',
    )
    .action(async (id: string, path: string, options: ApiFlags, command: Command) => {
      const context = open(command.optsWithGlobals())
      const body = options.data === undefined ? undefined : bodyOf(options.data)
      const method = options.method ?? (body === undefined ? 'GET' : 'POST')
      const params = { orgSlug: context.org(), workspaceSlug: context.workspace(), id, path }
      const headers = { accept: '*/*', ...headersOf(options.header ?? []) }
      const answer = await call(context.client, METHODS[method], { params, body: body ?? '', options: { headers } })
      if (options.include) {
        note`HTTP ${String(answer.status)}\n`
        for (const [name, value] of answer.headers) note`${name}: ${value}\n`
        note`\n`
      }
      if (options.output) await writeBody(answer, options.output)
      else await show(answer)
      if (answer.status >= 400) throw new CommandFailure(EXIT.conflict, `The ad system answered with ${answer.status}.`)
    })
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
  if (process.stdout.isTTY && isJson) return sayJson(await answer.json(), 2)
  await writeBody(answer, undefined)
}
