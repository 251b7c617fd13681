// Writes the tables of docs/, and what /docs of the portal shows, from the code: `npm run docs`.
// With --check it only says whether they are up to date.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import {
  accessOf,
  atOnce,
  auditEvents,
  grantsPower,
  groups,
  limits,
  type OperationId,
  openToAll,
  paths,
  problems,
  quotas,
  reserved,
  shares,
} from '@adjoin/contract'
import { openApi } from '@adjoin/contract/openapi'
import { cliPage } from './cli-page.ts'
import { docsData } from './docs-data.ts'

const head = (title: string, text: string) => `# ${title}\n\n${text}\n\nGenerated from the code by \`npm run docs\`; do not edit.\n\n`
const table = (columns: string[], rows: string[][]) =>
  [columns, columns.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n')

function accessPage(): string {
  const sections = Object.entries(groups).map(([name, group]) => {
    const rows = (Object.keys(group) as OperationId[]).map((id) => {
      const row = accessOf(id)
      return [
        id,
        `\`${paths[id]}\``,
        ...(row
          ? [row.in, row.session, row.userKey, `${row.organizationKey}${grantsPower(id) ? ' *' : ''}`, row.workspaceKey]
          : ['public', '', '', '', '']),
      ]
    })
    return `## ${name}\n\n${table(['operation', 'path', 'in', 'session', 'user key', 'organization key', 'workspace key'], rows)}\n`
  })
  return `${head('Access', 'The lowest role each kind of credential needs. `-`: that kind is not accepted (401). In a workspace, it is the effective workspace role. `*`: the operation lets people in, so an organization key whose creator is no longer an admin is refused (403 `creator_gone`).')}${sections.join('\n')}`
}

const problemsPage = () =>
  `${head('Problems', 'Every error is an RFC 9457 problem document with one of these codes. `detail` may be more specific than the text here.')}${table(
    ['code', 'status', 'detail'],
    Object.entries(problems).map(([code, [status, text]]) => [
      `\`${code}\``,
      String(status),
      text ?? '(none: the log has it under the request id)',
    ]),
  )}\n`

const auditPage = () =>
  `${head('Audit kinds', 'What the audit trail of an organization contains.')}${table(
    ['kind', 'what happened'],
    Object.entries(auditEvents).map(([kind, text]) => [`\`${kind}\``, text]),
  )}\n`

const limitsPage = () => {
  const rows = Object.entries(limits).flatMap(([id, list]) =>
    list.map(({ bucket, by, limit, seconds }) => [id, bucket, by, String(limit), `${seconds} s`]),
  )
  const inProgress = [
    ['requests of one connection', '1, the others wait', `with ${atOnce.pipelined} waiting, the connection is closed`],
    ['connections of one client address', String(atOnce.connections), 'new ones are closed; those of trusted proxies are not counted'],
    ['requests of one client address', String(atOnce.address), 'wait, then 503'],
    ['requests of one caller', String(atOnce.caller), 'wait, then 503'],
    ['requests of one organization', String(atOnce.organization), 'wait, then 503'],
    ['waiting requests of one caller over all processes, which use none of the above', String(atOnce.callerWaits), '429 `too_many_waits`'],
    ['waiting requests of one organization over all processes', String(atOnce.organizationWaits), '429 `too_many_waits`'],
  ]
  const bounds = Object.entries(quotas).map(([name, value]) => {
    const kept = reserved.find((one) => one === name)
    return [name, String(value), String((shares as Record<string, number>)[name] ?? ''), kept ? `the last ${value - openToAll(kept)}` : '']
  })
  return `${head('Limits', 'Rate limits, counted across replicas; `LIMITS_FACTOR` multiplies them. Over the limit: 429 with `Retry-After`.')}${table(['operation', 'bucket', 'counted by', 'limit', 'per'], rows)}\n\n## At once\n\nCounted in each process; \`LIMITS_FACTOR\` multiplies all but the first. The 503 has the code \`too_much_at_once\`.\n\n${table(['what', 'at most', 'beyond that'], inProgress)}\n\n## Quotas\n\nOver the quota: 409 \`quota_reached\`; its \`detail\` says which one. Keys count for their creator, invitations for their inviter. A key that was rotated with a grace window is counted separately until it expires.\n\n${table(['collection', 'at most', 'one person', 'reserved for admins'], bounds)}\n`
}

const pages: Record<string, string> = {
  'docs/access.md': accessPage(),
  'docs/problems.md': problemsPage(),
  'docs/audit-kinds.md': auditPage(),
  'docs/limits.md': limitsPage(),
  'docs/cli.md': cliPage(head),
  'docs/openapi.json': `${JSON.stringify(openApi(), null, 2)}\n`,
  ...docsData(),
}

const checking = process.argv.includes('--check')
mkdirSync('docs', { recursive: true })
const stale = Object.entries(pages).filter(([file, text]) => !existsSync(file) || readFileSync(file, 'utf8') !== text)
for (const [file, text] of checking ? [] : stale) writeFileSync(file, text)
if (checking && stale.length) {
  console.error(`These are out of date: ${stale.map(([file]) => file).join(', ')}. Run \`npm run docs\` and commit the result.`)
  process.exit(1)
}
console.log(
  checking ? 'generated docs are up to date' : `written: ${stale.map(([file]) => file).join(', ') || 'nothing, all were up to date'}`,
)
