// What /docs of the portal shows besides the OpenAPI document: commands and errors of each operation, the errors
// themselves and the ad systems. The portal knows nothing of the service, so it gets them as data.
import { declaration, type OperationId, operationIds, type ProblemCode, problem, problems, route } from '@adjoin/contract'
import { refusalCodes } from '@adjoin/contract/openapi/refusals'
import { dailyCallsOf } from '../api/src/gateway/daily-calls.ts'
import { gatewayOf } from '../api/src/gateway/describe.ts'
import { gatewayRules } from '../api/src/gateway/rules/index.ts'
import { descriptor, providers } from '../api/src/providers/index.ts'
import { providerNotes } from '../api/src/providers/notes.ts'
import type { Provider } from '../api/src/providers/provider.ts'
import { settingName } from '../api/src/providers/vendor-sessions.ts'
import { calledAs, dashed, type Flag, flagsOf } from '../cli/src/flags.ts'
import { words } from '../cli/src/words.ts'

const flagsByName = (flags: Flag[]) => Object.fromEntries(flags.map((flag) => [flag.name, [dashed(calledAs(flag)), flag.kind]]))

/** Null where a command made by hand, or only a browser, uses it. */
function commandOf(id: OperationId) {
  const { query, body } = declaration(id)
  const names = [...route(id)[1].matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
  return (
    words[id] && {
      words: words[id],
      arguments: names.filter((name) => name !== 'orgSlug' && name !== 'workspaceSlug'),
      flags: flagsByName([...flagsOf(query, id), ...flagsOf(body, id)]),
    }
  )
}

const operationsData = () => Object.fromEntries(operationIds.map((id) => [id, { command: commandOf(id), errors: refusalCodes(id) }]))

const errorsData = () =>
  (Object.keys(problems) as ProblemCode[]).map((code) => {
    const { status, title, detail = null } = problem(code, '')
    return { code, status, title, detail }
  })

function providerData(provider: Provider) {
  const { available: _, ...described } = descriptor(provider, true)
  const { access, refresh, refreshIs = null, rotates, renew } = provider.lifetimes
  const daily = dailyCallsOf(provider, {}, undefined)
  const rules = gatewayRules[provider.id]
  const settings = (names: readonly string[] = []) => names.map((name) => settingName(provider, name))
  return {
    ...described,
    version: provider.version ?? null,
    lifetimes: { access, refresh, refreshIs, rotates, renew },
    loginQuota: provider.loginQuota ?? null,
    appSettings: settings(provider.app),
    optionalAppSettings: settings(provider.optionalApp),
    dailyCalls: daily && { calls: daily.calls, zone: daily.zone, host: daily.host ?? null },
    gateway: rules && {
      ...gatewayOf(provider.id)!,
      versions: rules.written.versions,
      paths: rules.written.paths,
      reads: rules.written.reads,
      closed: [...new Set(rules.deny.map((row) => row.class))].sort(),
    },
    ...providerNotes[provider.id],
  }
}

const text = (data: unknown) => `${JSON.stringify(data, null, 1)}\n`

export const docsData = (): Record<string, string> => ({
  'portal/src/docs/generated/operations.json': text(operationsData()),
  'portal/src/docs/generated/errors.json': text(errorsData()),
  'portal/src/docs/generated/providers.json': text(providers.map(providerData)),
})
