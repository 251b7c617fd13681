// What is sent to webhooks: one entry for each type of event.
import { type AuditKind, auditEvents } from './audit-events.ts'
import { exampleOf, type Schemas } from './openapi/examples.ts'
import { type Json, ref } from './openapi/schemas.ts'

const ABOUT_INTEGRATIONS = ['integration', 'connect_link']
const isAboutIntegrations = (kind: string) => ABOUT_INTEGRATIONS.includes(kind.split('.')[0]!)

/** Entries that an older version wrote have `changes` alone; what is sent from now on has these as well. */
const dataOf = (kind: string): Json => {
  const about: Json = isAboutIntegrations(kind)
    ? { integration: { ...ref('schemas', 'EventIntegration'), description: 'The integration, as it was at that moment' } }
    : { target: { type: 'object', description: 'What it is about: `type`, `id` and `name`' } }
  const properties: Json = { ...about, changes: { type: 'array', items: { type: 'object' }, description: 'What changed, field by field' } }
  return { type: 'object', description: 'What happened, for programs', properties, required: Object.keys(properties) }
}

/** The event of all examples, as one of this kind. */
function example(kind: AuditKind, schemas: Schemas): Json {
  const event = exampleOf(ref('schemas', 'Event'), ['Event'], schemas) as Json & { data: Json }
  const { integration, changes } = event.data
  const data = isAboutIntegrations(kind) ? { integration, changes } : { target: TARGET(kind), changes: [] }
  return { ...event, type: kind, data }
}
const TARGET = (kind: AuditKind) => ({ type: kind.split('.')[0], id: '2f6c1f0e-8d0b-4a53-9c1e-6b7d3c5a9f01', name: 'Agency' })

/** `integration.status_changed` → `deliverIntegrationStatusChanged` */
const nameOf = (kind: string) => `deliver${kind.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}`

const HEADERS: Record<string, string> = {
  'webhook-id': 'The id of the event; the same over all tries',
  'webhook-timestamp': 'When it was sent, in seconds since 1970',
  'webhook-signature': '`v1,` and the HMAC-SHA256 of id, timestamp and body, in base64; several are separated by blanks',
}

const delivery = (kind: AuditKind, schemas: Schemas): Json => ({
  post: {
    operationId: nameOf(kind),
    tags: ['audit'],
    summary: auditEvents[kind],
    description: `${auditEvents[kind]}. Signed as Standard Webhooks says.`,
    security: [],
    parameters: Object.entries(HEADERS).map(([name, description]) => ({
      name,
      in: 'header',
      required: true,
      description,
      schema: { type: 'string' },
    })),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            allOf: [
              ref('schemas', 'Event'),
              {
                type: 'object',
                properties: { type: { type: 'string', const: kind, description: 'The type of this event' }, data: dataOf(kind) },
              },
            ],
          },
          example: example(kind, schemas),
        },
      },
    },
    responses: { '2XX': { description: 'Taken: the next event follows' }, 410: { description: 'Disables the webhook' } },
  },
})

export const eventItems = (schemas: Schemas): Json =>
  Object.fromEntries((Object.keys(auditEvents) as AuditKind[]).map((kind) => [kind, delivery(kind, schemas)]))
