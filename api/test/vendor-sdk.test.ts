/** A vendor's own SDK, which knows nothing of Adjoin: all it is given is another address and a header. */
import { doubleclickbidmanager } from '@googleapis/doubleclickbidmanager'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectIntegration } from './connected-integration.ts'
import { createWorld, type TestOrganization, type TestWorkspace, type World } from './world.ts'

let world: World
let organization: TestOrganization
let workspace: TestWorkspace
beforeAll(async () => {
  world = await createWorld()
  organization = await world.organization()
  workspace = await world.workspace(organization)
})
afterAll(() => world.stop())

const HOST = 'doubleclickbidmanager.googleapis.com'
const REPORT = {
  metadata: { title: 'Spend yesterday', dataRange: { range: 'PREVIOUS_DAY' }, format: 'CSV' },
  params: {
    type: 'STANDARD',
    groupBys: ['FILTER_DATE', 'FILTER_ADVERTISER'],
    metrics: ['METRIC_REVENUE_ADVERTISER'],
    filters: [{ type: 'FILTER_ADVERTISER', value: '1234567890' }],
  },
  schedule: { frequency: 'ONE_TIME' },
}

/**
 * Google's SDK for the reports of Display & Video 360, as a program with a key sets it up.
 * `rootUrl` goes with each call: set for all of them, this SDK keeps only its origin.
 */
async function sdk(role: 'viewer' | 'member', mode: 'read' | 'full' = 'read') {
  const id = await connectIntegration({ world, organization, workspace }, 'display_video_360', mode)
  const { client } = organization.admin
  const { baseUrl } = client.integration({ org: organization.slug, workspace: workspace.slug, id })
  const { key } = await client.createApiKey({ orgSlug: organization.slug }, { name: `${role} ${id}`, level: 'organization', role })
  const { queries } = doubleclickbidmanager({ version: 'v2', headers: { 'x-api-key': key } })
  return { id, queries, through: { rootUrl: `${baseUrl}/${HOST}` } }
}

it('prepares and runs a report with a viewer’s key: it reads', async () => {
  const { queries, through } = await sdk('viewer')
  const prepared = await queries.create({ requestBody: REPORT }, through)
  expect([prepared.status, prepared.headers['adjoin-answer'], prepared.data]).toEqual([
    200,
    'display_video_360',
    { queryId: '77777', ...REPORT },
  ])
  const run = await queries.run({ queryId: prepared.data.queryId! }, through)
  expect(run.data.key).toEqual({ queryId: '77777', reportId: '88888' })
})

it('throws what Adjoin refuses as it throws what Google refuses', async () => {
  const { queries, through } = await sdk('member')
  await expect(queries.delete({ queryId: '77777' }, through)).rejects.toMatchObject({
    response: { status: 403, headers: { 'adjoin-answer': 'adjoin' }, data: { code: 'change_refused' } },
  })
})

it('sends a change where the policy allows it, and the audit trail names it', async () => {
  const { id, queries, through } = await sdk('member', 'full')
  await expect(queries.delete({ queryId: '77777' }, through)).rejects.toMatchObject({
    response: { status: 404, headers: { 'adjoin-answer': 'display_video_360' } },
  })
  const { auditLogs } = await organization.admin.client.listAuditLogs({ orgSlug: organization.slug, action: 'integration.change_sent' })
  expect(auditLogs[0]).toMatchObject({ target: { id }, metadata: { method: 'DELETE', host: HOST, path: '/v2/queries/77777' } })
})
