// One guest takes as much as possible of what the whole organization shares.
// They get their share and no more, and admins still have room.
import { type Client, shares } from '@adjoin/contract'
import { describeAnswer, type HttpAnswer } from '../ask.ts'
import { type Attack, type AttackContext, clientOf, counted, newAddress, outcomeOf, send, unique } from './attack-context.ts'

const AT_ONCE = 100

export const hoarding: Attack = async function* (context) {
  const { furnish, urls } = context
  const organization = await furnish.organization()
  const workspace = await furnish.workspace(organization)
  const guest = await furnish.join(organization, 'guest')
  await furnish.assign(organization, workspace, guest, 'admin')
  const place = `/v1/organizations/${organization.slug}`
  const at = { orgSlug: organization.slug, workspaceSlug: workspace.slug }
  const admin = clientOf(urls[0]!, organization.admin)
  const live = () => liveKeys(context, organization.id)

  const keys = await postAtOnce(context, guest.headers, () => ({ path: `${place}/api-keys`, body: { name: 'Mine', level: 'user' } }))
  const made = await live()
  yield {
    tried: `a guest creating ${AT_ONCE} keys at once over three replicas`,
    found: `${counted(keys)}; ${made} live`,
    good: made === shares.liveApiKeys && keys.every((outcome) => outcome === '201' || outcome === '409 quota_reached'),
  }

  const rotations = await rotateAll(clientOf(urls[1]!, guest), organization.slug)
  const kept = await live()
  yield {
    tried: 'the same guest rotating all of them, then the new ones, with a grace period of a week',
    found: `${counted(rotations)}; ${kept} live`,
    good: kept <= 2 * shares.liveApiKeys,
  }

  const invitations = await postAtOnce(context, guest.headers, () => ({
    path: `${place}/workspaces/${workspace.slug}/invitations`,
    body: { email: `guest@${unique()}.example`, role: 'viewer' },
  }))
  const { pending } = await furnish.one<{ pending: number }>(
    `select count(*)::int as pending from invitations where organization_id = $1 and status = 'pending'`,
    [organization.id],
  )
  yield {
    tried: `a guest inviting ${AT_ONCE} people at once over three replicas`,
    found: `${counted(invitations)}; ${pending} pending`,
    good: pending === shares.pendingInvitations,
  }

  const answers = await Promise.allSettled([
    admin.createApiKey({ orgSlug: organization.slug }, { name: 'Nightly', level: 'organization', role: 'viewer' }),
    admin.createWorkspaceInvitation(at, { email: `client@${unique()}.example`, role: 'viewer' }),
    admin.createOrganizationInvitation({ orgSlug: organization.slug }, { email: `new@${unique()}.example`, role: 'member' }),
  ])
  const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [String(answer.reason)] : []))
  yield { tried: 'an admin afterwards: a key and two invitations', found: refused.join(', ') || 'created', good: !refused.length }
}

async function postAtOnce(
  { urls }: AttackContext,
  headers: Readonly<Record<string, string>>,
  draft: () => { path: string; body: unknown },
) {
  const from = newAddress()
  const answers = await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, i) => {
      const { path, body } = draft()
      return retryWhileBusy(() => send(`${urls[i % urls.length]}${path}`, { method: 'POST', headers, body, from }))
    }),
  )
  return answers.map((answer) => (answer instanceof Error ? describeAnswer('POST', '', answer) : outcomeOf(answer)))
}

/** A 503 says to try again later, and is not counted as a refusal. */
async function retryWhileBusy(ask: () => Promise<HttpAnswer>): Promise<HttpAnswer | Error> {
  for (let times = 0; ; times++) {
    const answer = await ask().catch((error: Error) => error)
    if (answer instanceof Error || answer.status !== 503 || times === 20) return answer
    await new Promise((resolve) => setTimeout(resolve, 100 + Math.random() * 400))
  }
}

async function rotateAll(guest: Client, orgSlug: string): Promise<string[]> {
  const outcomes: string[] = []
  for (let round = 0; round < 2; round++) {
    const { apiKeys } = await guest.listApiKeys({ orgSlug })
    for (const { id } of apiKeys.filter(({ status }) => status === 'active'))
      outcomes.push(
        await guest.rotateApiKey({ orgSlug, id }, { graceHours: 168 }).then(
          () => '201',
          (error) => `${error.status} ${error.code}`,
        ),
      )
  }
  return outcomes
}

async function liveKeys({ furnish }: AttackContext, organizationId: string): Promise<number> {
  const { live } = await furnish.one<{ live: number }>(
    `select count(*)::int as live from api_keys where organization_id = $1 and revoked_at is null and (expires_at is null or expires_at > now())`,
    [organizationId],
  )
  return live
}
