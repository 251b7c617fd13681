import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Event } from '@adjoin/contract'
import { signWebhook } from '@adjoin/contract/verify-webhook'
import type { Command } from 'commander'
import type { Context, Flags } from '../context.ts'
import { usage } from '../failure.ts'
import { sayDocument } from '../template.ts'
import { note, say } from '../terminal.ts'
import { eventsOf, type FeedFlags } from './events.ts'

interface ListenFlags extends FeedFlags {
  forwardTo: string
}

const ANSWER_MS = 15_000
const AGAIN_MS = 5000

/** Develop without a public address: follows the feed, and posts signed copies of events to a local server. */
export function addWebhooksListen(webhooks: Command, open: (flags: Flags) => Context, env: NodeJS.ProcessEnv): void {
  webhooks
    .command('listen')
    .description('Send events to a local server while you develop')
    .requiredOption('--forward-to <address>', 'where to post them, such as http://localhost:4000/hook')
    .option('--since <when>', '2h, 30m, 7d, a time, or `start`; default: from now on')
    .option('--types <list>', 'types such as integration.connected, or groups such as integration.*, separated by commas')
    .addHelpText(
      'after',
      '\nAn event that your server does not accept with 2xx is posted again every 5 seconds; later events wait for it.\nSigned with ADJOIN_WEBHOOK_SECRET, or with a new secret, which is shown.\n\nExample:\n  adjoin webhooks listen --since 2h --forward-to http://localhost:4000/hook',
    )
    .action(async (options: ListenFlags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>()
      const context = open(flags)
      if (!/^https?:\/\//.test(options.forwardTo) || !URL.canParse(options.forwardTo))
        throw usage(`--forward-to takes an address such as http://localhost:4000/hook, not ${options.forwardTo}`)
      const { ADJOIN_WEBHOOK_SECRET: kept } = env
      const secret = kept ?? `whsec_${randomBytes(32).toString('base64')}`
      if (!/^whsec_[A-Za-z0-9+/]+=*$/.test(secret)) throw usage('ADJOIN_WEBHOOK_SECRET is not the secret of a webhook: whsec_…')
      if (!kept) note`Signing secret: ${secret}\n`
      for await (const event of eventsOf(context, flags.workspace, { ...options, follow: true }))
        await forward(event, options.forwardTo, secret, context.json)
    })
}

/** As a webhook does it: in order, until it is taken. */
async function forward(event: Event, address: string, secret: string, json: boolean): Promise<void> {
  const body = JSON.stringify(event)
  for (;;) {
    const headers = { 'content-type': 'application/json', ...(await signWebhook(event.id, body, secret)) }
    const status = await fetch(address, { method: 'POST', headers, body, redirect: 'manual', signal: AbortSignal.timeout(ANSWER_MS) }).then(
      async (answer) => {
        await answer.body?.cancel()
        return answer.status
      },
      (error: Error) => (error.cause as { code?: string } | undefined)?.code ?? error.name,
    )
    if (json) sayDocument({ id: event.id, sequence: event.sequence, type: event.type, status })
    else say`${event.createdAt.slice(0, 19).replace('T', ' ')}  ${event.type}  → ${status}\n`
    if (typeof status === 'number' && status >= 200 && status < 300) return
    await sleep(AGAIN_MS)
  }
}
