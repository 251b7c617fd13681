import type { Client } from '@adjoin/contract/client'
import type { CatalogueProvider } from './api.ts'
import type { CallMode } from './call-words.ts'
import { settingsIn } from './design/provider-fields.tsx'
import type { FieldValues } from './draft.ts'
import type { Integration } from './integration-words.ts'
import { type ConnectRequest, requestFor } from './request-words.ts'

/** What is asked for: a new integration for an ad system, or an existing one again. */
export type ItemDraft = { key: string; provider: string; integrationId?: string; name: string; values: FieldValues }
export type RequestDraft = { values: FieldValues; items: ItemDraft[] }

/** As the service names them in its refusals. */
export const itemPrefix = (at: number) => `items.${at}.`

/** The fields of the form, those of each item with the item. */
export function draftOf(values: FieldValues, items: ItemDraft[]): RequestDraft {
  const under = (prefix: string) =>
    Object.fromEntries(
      Object.entries(values).flatMap(([name, value]) => (name.startsWith(prefix) ? [[name.slice(prefix.length), value]] : [])),
    )
  return {
    values: Object.fromEntries(Object.entries(values).filter(([name]) => !name.startsWith('items.'))),
    items: items.map((item, at) => ({ ...item, values: under(itemPrefix(at)) })),
  }
}

type CreateRequest = Parameters<Client['createConnectRequest']>[1]

/** What is sent: fields that were left empty are left out. */
export function requestBody({ values, items }: RequestDraft, providers: CatalogueProvider[]): CreateRequest {
  const { title = '', message, clientName, clientEmail, language, expiresInDays, reminders, returnUrl } = values
  return {
    title,
    ...(message?.trim() && { message }),
    ...(clientName && { clientName }),
    ...(clientEmail && { clientEmail }),
    ...(language && { language: language as NonNullable<ConnectRequest['language']> }),
    ...(returnUrl && { returnUrl }),
    expiresInDays: Number(expiresInDays),
    reminders: reminders === 'on',
    items: items.map((item) => itemBody(item, providers)),
  }
}

function itemBody({ provider: id, integrationId, values }: ItemDraft, providers: CatalogueProvider[]): CreateRequest['items'][number] {
  const { name, expectedAccount, callMode, optional, accessUntil } = values
  const common = { optional: optional === 'on', ...(accessUntil && { accessUntil }) }
  if (integrationId) return { integrationId, ...common }
  const provider = providers.find((each) => each.provider === id)!
  return {
    provider: provider.provider,
    ...(name && { name }),
    settings: settingsIn(values, provider.settingsFields),
    ...(expectedAccount && { expectedAccount }),
    ...(callMode && { callPolicy: { mode: callMode as CallMode } }),
    ...common,
  }
}

/** Those that only their client can bring back, and that no open request asks for. */
export const needingClient = (integrations: Integration[], requests: ConnectRequest[]): Integration[] =>
  integrations.filter(
    ({ id, status, mustAct, statusReason, category }) =>
      category !== null &&
      status !== 'disabled' &&
      (status === 'pending' || mustAct === 'client' || statusReason === 'access_ended') &&
      !requestFor(requests, id),
  )
