import { createReadStream, readFileSync } from 'node:fs'
import { type Checkpoint, linesOf, type TrailVerdict, verifyAuditTrail } from '@adjoin/contract/audit-chain'
import { nameOf } from '@adjoin/contract/audit-organization'
import type { Command } from 'commander'
import type { Flags } from '../context.ts'
import { CommandFailure, EXIT } from '../failure.ts'
import { print } from '../output.ts'
import { note, paint, safe, say } from '../terminal.ts'

export function addAuditVerify(audit: Command): void {
  audit
    .command('verify')
    .description('Check an exported trail offline: its hash chain, and a signed checkpoint')
    .argument('<file>', 'an ndjson export')
    .option('--checkpoint <file>', 'the answer of `adjoin audit checkpoint --json`, to be found on the trail')
    .option('--public-key <text>', 'the service’s key, known from elsewhere')
    .option('--organization <slug or id>', 'whose trail it must be')
    .addHelpText(
      'after',
      '\nExample:\n  adjoin audit export --output trail.ndjson\n  adjoin audit checkpoint --json > checkpoint.json\n  adjoin audit verify trail.ndjson --checkpoint checkpoint.json',
    )
    .action(async (file: string, options: { checkpoint?: string; publicKey?: string; organization?: string }, command: Command) => {
      const { json } = command.optsWithGlobals<Flags>()
      const checkpoint = options.checkpoint ? (JSON.parse(readFileSync(options.checkpoint, 'utf8')) as Checkpoint) : undefined
      const verdict = await verifyAuditTrail(linesOf(createReadStream(file)), {
        progress: (entries) => showProgress(`${entries} entries …`),
        ...(checkpoint && { checkpoint }),
        ...(options.publicKey && { publicKey: options.publicKey }),
        ...(options.organization && { organization: options.organization }),
      })
      showProgress('')
      if (json) print(verdict, true)
      refuseUnsound(verdict, file)
      if (!json) say`${intact(verdict)}\n`
    })
}

function refuseUnsound({ fault, outcome, missing, entries }: TrailVerdict, file: string): void {
  if (fault?.what === 'other_organization') throw new CommandFailure(EXIT.conflict, safe`${red('Another trail')}: ${fault.message}`)
  if (fault) {
    const entry = fault.sequence === null ? '' : `, entry ${fault.sequence}`
    throw new CommandFailure(EXIT.conflict, safe`${red('Broken')} at line ${fault.line}${entry}: ${fault.message}`)
  }
  if (outcome === 'gaps') {
    const gone = missing!.from === missing!.to ? `entry ${missing!.from} is` : `entries ${missing!.from} to ${missing!.to} are`
    throw new CommandFailure(
      EXIT.conflict,
      safe`${yellow('Incomplete')}: ${gone} missing. A filtered export has gaps; a whole one must not.`,
    )
  }
  if (!entries)
    throw new CommandFailure(
      EXIT.conflict,
      safe`${yellow('Empty')}: there is no entry in ${file}. An export always holds at least its own.`,
    )
}
const red = (text: string) => paint('red', text, process.stderr)
const yellow = (text: string) => paint('yellow', text, process.stderr)

/** What is proved, and what is not. */
function intact({ entries, last, organization, checkpoint, endProved }: TrailVerdict) {
  const whose = organization ? ` of ${nameOf(organization)}` : ', which do not name their organization'
  const signed = checkpoint ? ` Checkpoint ${checkpoint.sequence} is signed and on the trail.` : ''
  const open = checkpoint
    ? `No checkpoint covers the entries after ${checkpoint.sequence}: they could have been changed or removed.`
    : 'Its end is unproved: the last entries could have been changed or removed. Pass --checkpoint with one you stored elsewhere.'
  return safe`${paint('green', 'Intact')}: ${entries} entries${whose}, the last is ${last!.sequence}.${signed}${endProved ? '' : safe`\n${paint('yellow', open)}`}`
}

/** On a terminal only: how far it has come. */
function showProgress(text: string): void {
  if (process.stderr.isTTY) note`\r\u001b[K${text}`
}
