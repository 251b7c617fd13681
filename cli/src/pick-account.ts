// Right after consent: which of the accounts that the client gave access to is meant?
import { setTimeout as sleep } from 'node:timers/promises'
import { type Output, settingsFor } from '@adjoin/contract'
import { inTreeOrder, type ListedAccount } from './account-tree.ts'
import type { Context } from './context.ts'
import { readLine } from './secret.ts'
import { note } from './terminal.ts'

type Integration = Output<'updateIntegration'>
type Place = { readonly orgSlug: string; readonly workspaceSlug: string; readonly id: string }

const WAIT_MS = 20_000
const MOST_SHOWN = 50
/** As long as the page can be used after the consent. */
const CHOOSING_MS = 3_600_000

/**
 * Where nothing but the account is missing: the only one there is, or the one that the client chooses on the page or somebody picks
 * here, whichever comes first. `missing`: the setting that nobody gave an account for.
 */
export async function settleAccount(
  { client }: Context,
  at: Place,
  connected: Integration,
): Promise<{ readonly integration: Integration; readonly missing?: string }> {
  if (connected.statusReason !== 'setting_missing') return { integration: connected }
  const { gateway } = await client.getProvider({ provider: connected.provider as never })
  const [first, ...others] = (gateway?.accountSettings ?? []).filter(({ setting }) => !connected.settings[setting])
  if (!first) return { integration: connected }
  note`\nListing the accounts …\n`
  const accounts = await listedAccounts(client, at)
  const offered = inTreeOrder(accounts).flatMap(({ account }) => (account.kind === first.kind ? [account] : []))
  if (!offered.length) return { integration: connected, missing: first.setting }
  const done = new AbortController()
  const byClient = chosenByClient(client, at, connected, done)
  byClient.catch(() => done.abort()) // told where it is waited for
  const picked = offered.length === 1 ? offered[0] : await pickFrom(offered, done.signal)
  if (!picked) {
    const integration = await byClient
    return { integration, ...(integration.statusReason === 'setting_missing' && { missing: first.setting }) }
  }
  done.abort()
  if (offered.length === 1) note`Using the only account: ${picked.name} (${picked.id})\n`
  const settings = { ...connected.settings, ...settingsFor(accounts, picked, first, others) }
  return { integration: await client.updateIntegration(at, { settings }) }
}

/** While the client's page offers the accounts, or until somebody here was faster. */
async function chosenByClient(client: Context['client'], at: Place, connected: Integration, done: AbortController): Promise<Integration> {
  const until = Date.parse(connected.connectedAt!) + CHOOSING_MS
  let integration = connected
  while (!done.signal.aborted && integration.statusReason === 'setting_missing' && Date.now() < until) {
    await sleep(2000, undefined, { signal: done.signal }).catch(() => undefined)
    if (!done.signal.aborted) integration = await client.getIntegration(at)
  }
  done.abort()
  return integration
}

/** Undefined where nobody is there to pick one, or the client was faster. */
async function pickFrom(offered: readonly ListedAccount[], signal: AbortSignal): Promise<ListedAccount | undefined> {
  note`The client chooses the account on the page.\n`
  if (process.stdin.isTTY) {
    for (const [i, { id, name }] of offered.slice(0, MOST_SHOWN).entries()) note`  ${i + 1}. ${name} (${id})\n`
    if (offered.length > MOST_SHOWN) note`  … and ${offered.length - MOST_SHOWN} more; enter an ID for one of those\n`
    const answer = await readLine('Or choose here. Number or ID (leave empty to wait for the client): ', signal)
    const picked = pickedFrom(offered, answer)
    if (picked || signal.aborted) return picked
  }
  note`Waiting … Ctrl-C stops waiting; the connection stays.\n`
  return undefined
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
