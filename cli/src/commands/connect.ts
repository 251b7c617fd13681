import { setTimeout as sleep } from 'node:timers/promises'
import { type ProviderId, providerIds } from '@adjoin/contract'
import { Argument, type Command } from 'commander'
import { renderUnicodeCompact } from 'uqr'
import { webAddress } from '../browser.ts'
import type { Context, Flags } from '../context.ts'
import { CommandFailure, EXIT } from '../failure.ts'
import { pairs } from '../flags.ts'
import { print } from '../output.ts'
import { settleAccount } from '../pick-account.ts'
import { note, paint, say } from '../terminal.ts'

export function addConnect(program: Command, open: (flags: Flags) => Context): void {
  program
    .command('connect')
    .description('Create an integration, show its connect link, and wait for the client to connect')
    .addArgument(new Argument('<provider>', 'the ad system').choices(providerIds))
    .requiredOption('--name <text>', 'a name for the integration')
    .option('--setting <name=value>', 'a setting of the ad system; repeat for more', (pair: string, before: string[] = []) => [
      ...before,
      pair,
    ])
    .option('--expected-account <text>', 'the only account that may connect: its id or email address')
    .option('--return-url <address>', 'where the client is sent afterwards')
    .option('--expires-in-days <number>', 'days until the link expires, 1 to 30', '7')
    .option('--no-wait', 'print the link and exit')
    .option('--no-qr', 'do not print the QR code')
    .addHelpText('after', '\nExample:\n  adjoin connect google_ads --name "Search" --setting customerId=123-456-7890')
    .action(async (provider: string, options: ConnectFlags, command: Command) => {
      const context = open(command.optsWithGlobals())
      const place = { orgSlug: context.org(), workspaceSlug: context.workspace() }
      const made = await context.client.createIntegration(place, {
        provider: provider as ProviderId,
        name: options.name,
        expiresInDays: Number(options.expiresInDays),
        ...(options.setting && { settings: pairs('setting', options.setting) }),
        ...(options.expectedAccount && { expectedAccount: options.expectedAccount }),
        ...(options.returnUrl && { returnUrl: options.returnUrl }),
      })
      if (!options.wait && context.json) return print(made, true)
      const until = made.connectLink!.expiresAt.slice(0, 16).replace('T', ' ')
      note`\nSend this link to your client (valid until ${until} UTC):\n\n`
      // With --json the one document on standard output is what became of it.
      const tell = context.json ? note : say
      tell`${made.connectUrl}\n`
      const address = webAddress(made.connectUrl) // a telephone opens whatever it reads
      const qr = options.qr && process.stderr.isTTY && address ? renderUnicodeCompact(address) : ''
      // Wrapped, it could not be read.
      if (qr && qr.indexOf('\n') <= (process.stderr.columns || 80)) note`\n${{ safe: qr }}\n`
      if (!options.wait) return
      note`\nWaiting for the client … Ctrl-C stops waiting; the link stays valid.\n`
      const at = { ...place, id: made.id }
      const { integration: connected, missing } = await settleAccount(context, at, await waitFor(context, at))
      if (context.json) print(connected, true)
      if (connected.status !== 'active')
        throw new CommandFailure(
          EXIT.conflict,
          (connected.statusReason === 'setting_missing' && laterOf(connected, missing)) ||
            connected.statusDetail ||
            `The link expired or was revoked before anyone used it. Issue a new one: adjoin integrations link ${made.id}`,
        )
      if (!context.json) say`${paint('green', 'Connected')}: ${connected.connectedAccount}\n`
    })
}

/** Connected, and nobody has chosen the account. */
const laterOf = ({ id, statusDetail }: { id: string; statusDetail: string | null }, setting = 'NAME') =>
  `${statusDetail ?? ''} List the accounts with \`adjoin accounts ${id}\`, then: adjoin integrations update ${id} --setting ${setting}=ID`.trim()

interface ConnectFlags {
  name: string
  setting?: string[]
  expectedAccount?: string
  returnUrl?: string
  expiresInDays: string
  wait: boolean
  qr: boolean
}

/**
 * Until the link was used, or is gone for another reason.
 * What fails on the way is told, since the client may try again.
 */
async function waitFor(context: Context, at: { orgSlug: string; workspaceSlug: string; id: string }) {
  let said: string | null = null
  for (;;) {
    const integration = await context.client.getIntegration(at)
    if (!integration.connectLink || integration.connectLink.expired || integration.status === 'active') return integration
    const trouble = integration.statusDetail ?? integration.lastError
    if (trouble && trouble !== said) note`${paint('yellow', trouble, process.stderr)}\n`
    said = trouble
    await sleep(2000)
  }
}
