// What is sent to webhooks: one entry for each type of event.
import { type AuditKind, auditEvents } from './audit-events.ts'

type Json = Record<string, unknown>

const ABOUT_INTEGRATIONS = ['integration', 'connect_link']

/** Entries that an older version wrote have `changes` alone; what is sent from now on has these as well. */
const dataOf = (kind: string): Json => {
  const about: Json = ABOUT_INTEGRATIONS.includes(kind.split('.')[0]!)
    ? { integration: { $ref: '#/components/schemas/EventIntegration' } }
    : { target: { type: 'object' } }
  const properties: Json = { ...about, changes: { type: 'array', items: { type: 'object' } } }
  return { type: 'object', properties, required: Object.keys(properties) }
}

/** `integration.status_changed` → `deliverIntegrationStatusChanged` */
const nameOf = (kind: string) => `deliver${kind.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}`

const HEADERS: Record<string, string> = {
  'webhook-id': 'The id of the event; the same over all tries',
  'webhook-timestamp': 'When it was sent, in seconds since 1970',
  'webhook-signature': '`v1,` and the HMAC-SHA256 of id, timestamp and body, in base64; several are separated by blanks',
}

const delivery = (kind: AuditKind): Json => ({
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
              { $ref: '#/components/schemas/Event' },
              {
                type: 'object',
                properties: { type: { type: 'string', const: kind }, data: dataOf(kind) },
              },
            ],
          },
        },
      },
    },
    responses: { '2XX': { description: 'Taken: the next event follows' }, 410: { description: 'Disables the webhook' } },
  },
})

export const eventItems = (): Json => Object.fromEntries((Object.keys(auditEvents) as AuditKind[]).map((kind) => [kind, delivery(kind)]))
