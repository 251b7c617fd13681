import { headerComponents } from './openapi/headers.ts'
import { pathItems } from './openapi/operations.ts'
import { refusals } from './openapi/refusals.ts'
import { components, type Json } from './openapi/schemas.ts'
import { eventItems } from './openapi-events.ts'
import { groups } from './operations.ts'

export const API_VERSION = '0.1.0'

const PRODUCTION = { url: 'https://adjoin.example', description: 'Production', 'x-internal': false }
const LOCAL = { url: 'http://localhost:3000', description: 'Local development', 'x-internal': true }

/**
 * The machine-readable description, made from the tables:
 * nothing here is written twice. `publicUrl`: where it is served.
 */
export function openApi(publicUrl = PRODUCTION.url): Json {
  const schemas = components()
  return {
    openapi: '3.1.0',
    info: {
      title: 'Adjoin',
      version: API_VERSION,
      summary: 'Advertising integrations platform: connect every ad system',
      description:
        'Every response other than 2xx is a problem document (RFC 9457), except in browser flows, which redirect. Before 1.0, breaking changes are made in place under `/v1` and ship together ' +
        'with the Portal and the CLI; from 1.0 on, a breaking change becomes a `/v2` sibling. Operation ids and schema names are stable identifiers. ' +
        'What never becomes a request of an operation is a problem document, too, and is not listed with each of them: 400 for HTTP or a path that can’t be read, 404 and 405 for ' +
        'other paths and methods, 408 for a request that takes too long to arrive, 413 for a body and 431 for a request line and headers that are too large, 417 for an `Expect` other than `100-continue`. A proxy in front of the service may answer in its own words.',
      contact: { name: 'Adjoin maintainers', url: 'https://adjoin.example/support' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: publicUrl.startsWith('https://') ? [{ ...PRODUCTION, url: publicUrl }, LOCAL] : [{ ...LOCAL, url: publicUrl }, PRODUCTION],
    security: [{ bearer: [] }, { apiKey: [] }],
    tags: Object.keys(groups).map((name) => ({ name, description: TAGS[name as keyof typeof groups] })),
    paths: pathItems(schemas),
    webhooks: eventItems(schemas),
    components: { schemas, securitySchemes: SECURITY, responses: refusals(), headers: headerComponents() },
  }
}

// biome-ignore format: a table
const TAGS: Record<keyof typeof groups, string> = {
  account: 'The caller’s own account: profile, sign-up, sessions, invitations',
  auth: 'Sign-in by emailed link, by identity provider and by device; sessions and sign-out',
  organizations: 'Organizations, their members and invitations',
  workspaces: 'Isolated partitions within an organization, their members and invitations',
  'api-keys': 'Programmatic credentials, with rotation',
  audit: 'The audit trail of an organization',
  integrations: 'Connections of a workspace to external advertising systems',
  connect: 'The public flow in which a client authorizes an integration, without a session',
  infra: 'Health, build information and the OpenAPI document',
}

const SECURITY = {
  cookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'adjoin_session',
    description: 'Set by the sign-in routes; named `__Host-adjoin_session` on https. The same session as the bearer token.',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'A session token, for the CLI and scripts' },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description:
      'A key bound to one organization, accepted on `/v1` routes other than `/v1/auth/*`. If a request has several credentials, a key takes precedence over a ' +
      'bearer token, and a bearer token over the cookie; an invalid one is refused, with no fallback to the next. While a rotated key is in its grace window, every ' +
      'response carries `Deprecation` (RFC 9745, since when) and `Sunset` (RFC 8594, until when).',
  },
}
