// What a process does besides answering: jobs, schedules, and the loops that take what is due.
import type { Parts } from './call.ts'
import { noteExpiries } from './features/audit/note-expiries.ts'
import { CHECKPOINTS_EVERY_SECONDS, writeCheckpoints } from './features/audit/write-checkpoints.ts'
import { mailSignIn } from './features/auth/mail-sign-in.ts'
import { remindClients } from './features/connect-requests/remind.ts'
import { keepAccounts } from './features/gateway/keep-accounts.ts'
import { sweep } from './features/infra/sweep.ts'
import { keepAgreements } from './features/integrations/agreed-access.ts'
import { keepHealthy } from './features/integrations/keep-healthy.ts'
import { mailDigests } from './features/integrations/mail-digests.ts'
import { revokeQueued } from './features/integrations/revoke-queued.ts'
import { sendMail } from './features/mails/send-mail.ts'
import { mailJoins } from './features/organizations/announce-joins.ts'
import { closePublicDomains } from './features/organizations/close-public-domains.ts'
import { keepDays } from './features/overview/organization-health.ts'
import { dispatchWebhooks } from './features/webhooks/dispatch.ts'
import type { createJobs, JobHandlers } from './jobs/queue.ts'
import { type Runner, runJobs, type Schedules } from './jobs/runner.ts'
import type { Transport } from './mail/transport.ts'
import type { Metrics } from './metrics.ts'

export interface Background {
  readonly healthy: Runner['healthy']
  /** Checks and renewals in progress here. */
  checksRunning(): number
  stop(): Promise<void>
}

export function startBackground(parts: Parts, jobs: ReturnType<typeof createJobs>, transport: Transport, metrics: Metrics): Background {
  const runner = runJobs({
    ...parts,
    jobs,
    handlers: handlersOf(parts, transport),
    schedules: schedulesOf(parts, metrics),
    observe: metrics.job,
  })
  const keeper = keepHealthy(parts, { observe: metrics.check })
  const loops = [runner, keeper, keepAccounts(parts), dispatchWebhooks(parts), revokeQueued(parts)]
  return {
    healthy: runner.healthy,
    checksRunning: keeper.running,
    stop: async () => void (await Promise.all(loops.map((loop) => loop.stop()))),
  }
}

const handlersOf = (parts: Parts, transport: Transport): JobHandlers => ({
  'mail.send': sendMail(parts, transport),
  'sign_in.mail': mailSignIn(parts),
  'joins.mail': mailJoins(parts),
})

const schedulesOf = (parts: Parts, metrics: Metrics): Schedules => ({
  ...(parts.config.auditCheckpoints && {
    checkpoints: { seconds: CHECKPOINTS_EVERY_SECONDS, run: () => writeCheckpoints(parts, metrics.checkpoints) },
  }),
  sweep: { seconds: 600, run: () => sweep(parts) },
  digests: { seconds: 900, run: () => mailDigests(parts) },
  days: { seconds: 900, run: () => keepDays(parts) },
  expiries: { seconds: 60, run: () => noteExpiries(parts) },
  agreements: { seconds: 60, run: () => keepAgreements(parts) },
  reminders: { seconds: 60, run: () => remindClients(parts) },
  publicDomains: { seconds: 86_400, run: () => closePublicDomains(parts) },
})
