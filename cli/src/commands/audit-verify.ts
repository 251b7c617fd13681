import { createReadStream, readFileSync } from 'node:fs'
import { type Checkpoint, linesOf, verifyAuditTrail } from '@adjoin/contract/audit-chain'
import type { Command } from 'commander'
import type { Flags } from '../context.ts'
import { EXIT, Failure } from '../failure.ts'
import { paint, print } from '../output.ts'

export function addAuditVerify(audit: Command): void {
  audit
    .command('verify')
    .description('Check an exported trail offline: its hash chain, and a signed checkpoint')
    .argument('<file>', 'an ndjson export')
    .option('--checkpoint <file>', 'the answer of `adjoin audit checkpoint --json`, to be found on the trail')
    .option('--public-key <text>', 'the service’s key, known from elsewhere')
    .addHelpText(
      'after',
      '\nExample:\n  adjoin audit export --output trail.ndjson\n  adjoin audit checkpoint --json > checkpoint.json\n  adjoin audit verify trail.ndjson --checkpoint checkpoint.json',
    )
    .action(async (file: string, options: { checkpoint?: string; publicKey?: string }, command: Command) => {
      const { json } = command.optsWithGlobals<Flags>()
      const checkpoint = options.checkpoint ? (JSON.parse(readFileSync(options.checkpoint, 'utf8')) as Checkpoint) : undefined
      const verdict = await verifyAuditTrail(linesOf(createReadStream(file)), {
        progress: (entries) => showProgress(`${entries} entries …`),
        ...(checkpoint && { checkpoint }),
        ...(options.publicKey && { publicKey: options.publicKey }),
      })
      showProgress('')
      if (json) print(verdict, true)
      if (verdict.fault)
        throw new Failure(
          EXIT.conflict,
          `${paint('red', 'Broken', process.stderr)} at line ${verdict.fault.line}${verdict.fault.sequence === null ? '' : `, entry ${verdict.fault.sequence}`}: ${verdict.fault.message}`,
        )
      if (verdict.outcome === 'gaps')
        throw new Failure(
          EXIT.conflict,
          `${paint('yellow', 'Not whole', process.stderr)}: entries ${verdict.missing?.from} to ${verdict.missing?.to} are missing. A filtered export has gaps; a whole one must not.`,
        )
      if (!verdict.entries)
        throw new Failure(
          EXIT.conflict,
          `${paint('yellow', 'Empty', process.stderr)}: there is no entry in ${file}. An export always holds at least its own.`,
        )
      if (json) return
      process.stdout.write(
        `${paint('green', 'Intact')}: ${verdict.entries} entries, the last is ${verdict.last?.sequence ?? 'none'}${verdict.checkpoint ? `; checkpoint ${verdict.checkpoint.sequence} is signed and on the trail` : ''}.\n`,
      )
    })
}

/** On a terminal only: how far it has come. */
const showProgress = (text: string) => void (process.stderr.isTTY && process.stderr.write(`\r\u001b[K${text}`))
