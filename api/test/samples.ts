// One well-formed request per operation, made from its own schemas.
import { accessOf, declaration, type OperationId, route } from '@adjoin/contract'
import * as z from 'zod'

const UUID = '7b0c6f5e-8f43-4f0c-9d7e-0a4b8a1f6c11'
/** What fits fields that JSON Schema cannot spell out. */
const known: Record<string, unknown> = {
  email: 'ada@agency.example',
  id: UUID,
  userId: UUID,
  provider: 'google',
  token: 'x'.repeat(43),
  userCode: 'BCDF-GHJK',
  orgSlug: 'agency',
  workspaceSlug: 'client',
  organizationSlug: 'agency',
  slug: 'client',
  code: '123456',
  deviceCode: 'x'.repeat(43),
  returnUrl: 'https://agency.example/done',
  callbackURL: '/',
  url: 'http://127.0.0.1:9/hook',
  deliveryId: UUID,
  requestId: UUID,
  itemId: UUID,
  integrationId: UUID,
  items: [{ provider: 'xandr' }],
  from: '2026-01-31T12:00:00Z',
}

type SampleSchema = {
  type?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: SampleSchema[]
  oneOf?: SampleSchema[]
  properties?: Record<string, SampleSchema>
  required?: string[]
  minimum?: number
  minItems?: number
  items?: SampleSchema
}

function sample(schema: SampleSchema, name = ''): unknown {
  if (schema.enum) return known[name] !== undefined && schema.enum.includes(known[name]) ? known[name] : schema.enum[0]
  if (schema.const !== undefined) return schema.const
  const [shape] = schema.anyOf ?? schema.oneOf ?? []
  if (shape) return sample(shape, name)
  if (schema.type === 'object')
    return Object.fromEntries((schema.required ?? []).map((field) => [field, sample(schema.properties?.[field] ?? {}, field)]))
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1
  if (schema.type === 'boolean') return true
  if (schema.type === 'array') return known[name] ?? (schema.minItems ? [sample(schema.items ?? {}, name.replace(/s$/, ''))] : [])
  return known[name] ?? 'Ada'
}

export function sampleRequest(id: OperationId, params: Record<string, string> = {}) {
  const [method, template] = route(id)
  const { body } = declaration(id)
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? String(known[name] ?? 'x')))
  const value = body && sample(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as SampleSchema)
  return { method, path, template, value, body: body && JSON.stringify(value), guarded: accessOf(id) !== null }
}
