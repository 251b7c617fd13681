// Right after consent: which of the accounts that the client gave access to is meant?
import { setTimeout as sleep } from 'node:timers/promises'
import type { Output } from '@adjoin/contract'
import { inTreeOrder, type ListedAccount } from './account-tree.ts'
import type { Context } from './context.ts'
import { readLine } from './secret.ts'
import { note } from './terminal.ts'

type Integration = Output<'updateIntegration'>
type Place = { readonly orgSlug: string; readonly workspaceSlug: string; readonly id: string }
type AccountSetting = NonNullable<Output<'getProvider'>['gateway']>['accountSettings'][number]

const WAIT_MS = 20_000
const MOST_SHOWN = 50

/** Where nothing but the account is missing: the only one there is, or the one that somebody picks; else the integration as it is. */
export async function offerAccounts({ client }: Context, at: Place, integration: Integration): Promise<Integration> {
  if (integration.statusReason !== 'setting_missing') return integration
  const { gateway } = await client.getProvider({ provider: integration.provider as never })
  const [first, ...others] = (gateway?.accountSettings ?? []).filter(({ setting }) => !integration.settings[setting])
  if (!first) return integration
  note`\nListing the accounts …\n`
  const accounts = await listedAccounts(client, at)
  const offered = inTreeOrder(accounts).flatMap(({ account }) => (account.kind === first.kind ? [account] : []))
  const picked = offered.length === 1 ? offered[0] : await pickFrom(offered)
  if (!picked) return integration
  if (offered.length === 1) note`Using the only account: ${picked.name} (${picked.id})\n`
  return client.updateIntegration(at, { settings: { ...integration.settings, ...settingsFor(accounts, picked, first, others) } })
}

/** Undefined where nobody is there to pick one. */
async function pickFrom(offered: readonly ListedAccount[]): Promise<ListedAccount | undefined> {
  if (!offered.length || !process.stdin.isTTY) return undefined
  for (const [i, { id, name }] of offered.slice(0, MOST_SHOWN).entries()) note`  ${i + 1}. ${name} (${id})\n`
  if (offered.length > MOST_SHOWN) note`  … and ${offered.length - MOST_SHOWN} more; enter an ID for one of those\n`
  return pickedFrom(offered, await readLine('Which one? Number or ID (leave empty to decide later): '))
}

/** The service lists them right after connecting. */
async function listedAccounts(client: Context['client'], at: Place): Promise<readonly ListedAccount[]> {
  for (const until = performance.now() + WAIT_MS; ; await sleep(1000)) {
    const { accounts, listed, refreshedAt } = await client.listIntegrationAccounts(at)
    if (!listed || refreshedAt || performance.now() > until) return accounts
  }
}

/** An ID beats a number: `12` may be both. */
export function pickedFrom(offered: readonly ListedAccount[], answer: string): ListedAccount | undefined {
  const said = answer.trim()
  return offered.find(({ id }) => id === said) ?? (/^[0-9]{1,4}$/.test(said) ? offered[Number(said) - 1] : undefined)
}

/** The account itself, and for the other settings the topmost of their kind above it. */
export function settingsFor(
  accounts: readonly ListedAccount[],
  picked: ListedAccount,
  first: AccountSetting,
  others: readonly AccountSetting[],
): Record<string, string> {
  const above: ListedAccount[] = []
  for (let at: ListedAccount | undefined = picked; at && above.length < 20; ) {
    const { parentId, kind }: ListedAccount = at
    const parents: ListedAccount[] = accounts.filter((one) => one.id === parentId && one !== at)
    at = parents.find((one) => one.kind !== kind) ?? parents[0]
    if (at) above.push(at)
  }
  const values: Record<string, string> = { [first.setting]: picked.id }
  for (const { setting, kind } of others) {
    const top = above.findLast((one) => one.kind === kind)
    if (top) values[setting] = top.id
  }
  return values
}
