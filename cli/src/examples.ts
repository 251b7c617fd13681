// Examples that could be typed as they stand: what people see in `--help`.
import { declaration, type OperationId, route } from '@adjoin/contract'
import { calledAs, dashed, type Flag, flagsOf } from './flags.ts'
import { words } from './words.ts'

const ID = '5f0c1d1e-8a54-4d2b-9a70-6f1f2a3b4c5d'

/** A likely value of every name that an argument or a required flag has. */
// biome-ignore format: a table
const VALUES: Record<string, string> = {
  id: ID,
  userId: ID,
  token: '-',
  result: '-',
  deviceCode: '-',
  userCode: 'WDJB-MJHT',
  provider: 'google_ads',
  email: 'grace@agency.example',
  name: '"Client A"',
  slug: 'client-a',
  role: 'member',
  level: 'organization',
  organizationName: '"Agency"',
  organizationSlug: 'agency',
  clientName: '"Build server"',
  deliveryId: ID,
  requestId: ID,
  itemId: ID,
  integrationIds: ID,
  url: 'https://agency.example/hooks/adjoin',
  from: '2026-11-01T00:00:00Z',
}

/** Where a required flag is not all, or the usual value is another one. */
// biome-ignore format: a table
const MORE: Partial<Record<OperationId, string>> = {
  signUp: '--email ada@agency.example --name "Ada Lovelace" --organization-name "Agency" --organization-slug agency --provider magic-link',
  updateMe: '--name "Ada Lovelace"',
  verifySignIn: '--email ada@agency.example --code - --challenge …',
  startProviderSignIn: 'google --login-hint ada@agency.example',
  finishProviderSignIn: 'google --state … --code …',
  updateOrganization: '--name "Agency International"',
  updateOrganizationMember: `${ID} --role admin`,
  removeOrganizationMember: `${ID} --organization-keys revoke`,
  createOrganizationInvitation: '--email grace@agency.example --role member',
  updateWorkspace: '--name "Client A (EMEA)"',
  deleteWorkspace: '--workspace client-a --force --yes',
  setWorkspaceMember: `${ID} --role viewer`,
  createWorkspaceInvitation: '--email client@brand.example --role viewer',
  createApiKey: '--name "Nightly report" --level workspace --role viewer --workspace-slug client-a --expires-in-days 90',
  updateApiKey: `${ID} --name "Nightly report"`,
  rotateApiKey: `${ID} --grace-hours 24`,
  listAuditLogs: '--action "integration.*" --from 2026-11-01T00:00:00Z --limit 20',
  exportAuditLogs: '--output trail.ndjson',
  createWebhook: '--endpoint https://agency.example/hooks/adjoin --types "integration.*,connect_link.*"',
  updateWebhook: `${ID} --types "integration.*"`,
  listWebhookDeliveries: `${ID} --outcome failed`,
  listIntegrations: '--status error',
  getIntegrationUsage: `${ID} --by hour --from 2026-11-14T00:00:00Z`,
  createIntegration: '--provider google_ads --name "Search" --setting customerId=123-456-7890',
  updateIntegration: `${ID} --name "Search (EMEA)"`,
  submitIntegrationCredentials: `${ID} --field username=api-user --field password=@password.txt`,
  issueConnectLink: `${ID} --expires-in-days 14`,
  startConnectOAuth: '- < token.txt',
  submitConnectCredentials: '- --field username=api-user --field password=@password.txt < token.txt',
  updateConnectRequest: `${ID} --client-email client@brand.example`,
  renewConnectRequest: `${ID} --expires-in-days 14`,
  startConnectItemOAuth: `- ${ID} < token.txt`,
  submitConnectItemCredentials: `- ${ID} --field username=api-user --field password=@password.txt < token.txt`,
  finishConnectOAuth: '--state … --code …',
}

export function example(id: OperationId, wanted: readonly string[], body: Flag[] = flagsOf(declaration(id).body)): string {
  const value = (name: string) => VALUES[name] ?? name.toUpperCase()
  const flags = body.filter(({ required }) => required).map((flag) => `--${dashed(calledAs(flag))} ${value(flag.name)}`)
  const rest = MORE[id] ?? [...wanted.map(value), ...flags].join(' ')
  const line = `adjoin ${words[id]}${rest && ` ${rest}`}`
  return route(id)[1].includes('{token}') && !MORE[id] ? `${line} < token.txt` : line
}
