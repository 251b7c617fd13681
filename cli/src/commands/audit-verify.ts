import { createReadStream, readFileSync } from 'node:fs'
import { type Checkpoint, linesOf, type TrailVerdict, verifyAuditTrail } from '@adjoin/contract/audit-chain'
import { nameOf } from '@adjoin/contract/audit-organization'
import type { Command } from 'commander'
import type { Flags } from '../context.ts'
import { CommandFailure, EXIT, usage } from '../failure.ts'
import { print } from '../output.ts'
import { note, paint, safe, say } from '../terminal.ts'

export function addAuditVerify(audit: Command): void {
  audit
    .command('verify')
    .description('Verify an exported audit trail offline: its hash chain, and a signed checkpoint')
    .argument('<file>', 'an ndjson export; `-` reads it from standard input')
    .option('--checkpoint <file>', 'output of `adjoin audit checkpoint --json` that the trail must contain')
    .option('--public-key <text>', 'the service’s public key, from a source you trust')
    .option('--organization <slug or id>', 'the organization the trail must belong to')
    .addHelpText(
      'after',
      '\nExamples:\n  adjoin audit export --output trail.ndjson\n  adjoin audit checkpoint --json > checkpoint.json\n  adjoin audit verify trail.ndjson --checkpoint checkpoint.json\n  adjoin audit export | adjoin audit verify -',
    )
    .action(async (file: string, options: { checkpoint?: string; publicKey?: string; organization?: string }, command: Command) => {
      const { json } = command.optsWithGlobals<Flags>()
      const checkpoint = options.checkpoint ? (JSON.parse(readFileSync(options.checkpoint, 'utf8')) as Checkpoint) : undefined
      const verdict = await verifyAuditTrail(onlyNdjson(linesOf(file === '-' ? process.stdin : createReadStream(file))), {
        progress: (entries) => showProgress(`${entries} entries …`),
        ...(checkpoint && { checkpoint }),
        ...(options.publicKey && { publicKey: options.publicKey }),
        ...(options.organization && { organization: options.organization }),
      })
      showProgress('')
      if (json) print(verdict, true)
      refuseUnsound(verdict, nameOfInput(file))
      if (!json) say`${intact(verdict)}\n`
    })
}

const nameOfInput = (file: string) => (file === '-' ? 'standard input' : file)

/** As the export writes the first line of a table. */
const CSV_HEAD = /^\ufeff?"?sequence"?,/

/** A table does not hold entries as they were hashed: it is not broken, it proves nothing. */
async function* onlyNdjson(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let first = true
  for await (const line of lines) {
    if (first && CSV_HEAD.test(line))
      throw usage('This is a CSV export. Only an ndjson export proves the chain: adjoin audit export --output trail.ndjson')
    first = false
    yield line
  }
}

function refuseUnsound({ fault, outcome, missing, entries }: TrailVerdict, file: string): void {
  if (fault?.what === 'other_organization') throw new CommandFailure(EXIT.conflict, safe`${red('Wrong trail')}: ${fault.message}`)
  if (fault) {
    const entry = fault.sequence === null ? '' : `, entry ${fault.sequence}`
    throw new CommandFailure(EXIT.conflict, safe`${red('Broken')} at line ${fault.line}${entry}: ${fault.message}`)
  }
  if (outcome === 'gaps') {
    const gone = missing!.from === missing!.to ? `entry ${missing!.from} is` : `entries ${missing!.from} to ${missing!.to} are`
    throw new CommandFailure(
      EXIT.conflict,
      safe`${yellow('Incomplete')}: ${gone} missing. That is normal for a filtered export, but a full export has no gaps.`,
    )
  }
  if (!entries)
    throw new CommandFailure(
      EXIT.conflict,
      safe`${yellow('Empty')}: ${file} has no entries. An export always contains at least the entry that records it.`,
    )
}
const red = (text: string) => paint('red', text, process.stderr)
const yellow = (text: string) => paint('yellow', text, process.stderr)

/** What is proved, and what is not. */
function intact({ entries, last, organization, checkpoint, endProved }: TrailVerdict) {
  const whose = organization ? ` of ${nameOf(organization)}` : ' of an organization that is not named in them'
  const signed = checkpoint ? ` Checkpoint ${checkpoint.sequence} is signed and part of the trail.` : ''
  const open = checkpoint
    ? `No checkpoint covers the entries after ${checkpoint.sequence}: they could have been changed or removed.`
    : 'Its end is not proven: the last entries could have been changed or removed. Add --checkpoint with one you stored elsewhere.'
  // Green is said only of what is proved to its end.
  const verdict = endProved ? paint('green', 'Intact') : paint('yellow', 'No break found')
  return safe`${verdict}: ${entries} entries${whose}, the last is ${last!.sequence}.${signed}${endProved ? '' : safe`\n${paint('yellow', open)}`}`
}

/** On a terminal only: how far it has come. */
function showProgress(text: string): void {
  if (process.stderr.isTTY) note`\r\u001b[K${text}`
}
