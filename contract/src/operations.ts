import { account } from './account.ts'
import { apiKeys } from './api-keys.ts'
import { audit } from './audit.ts'
import { auth } from './auth.ts'
import { connect } from './connect.ts'
import { infra } from './infra.ts'
import { integrations } from './integrations.ts'
import type * as op from './operation.ts'
import type { Declaration } from './operation.ts'
import { organizations } from './organizations.ts'
import { type EveryOperation, isChange, type OperationId } from './paths.ts'
import { workspaces } from './workspaces.ts'

/** The groups of the document, in its order; each is a tag in OpenAPI. */
export const groups = { account, auth, organizations, workspaces, 'api-keys': apiKeys, audit, integrations, connect, infra } as const

/** Put together only: each operation is declared in the file of its group. */
const declared = {
  ...account,
  ...auth,
  ...organizations,
  ...workspaces,
  ...apiKeys,
  ...audit,
  ...integrations,
  ...connect,
  ...infra,
} satisfies Record<OperationId, Declaration>
export const operations = declared as EveryOperation<typeof declared, Declaration>

export type Operations = typeof operations
export type Params<Id extends OperationId> = op.Params<Operations[Id]>
export type Query<Id extends OperationId> = op.Query<Operations[Id]>
export type Body<Id extends OperationId> = op.Body<Operations[Id]>
export type Answer<Id extends OperationId> = op.Answer<Operations[Id]>
export type { HangUp, Streamed, VerbatimRequest } from './operation.ts'
export type Output<Id extends OperationId> = op.Output<Operations[Id]>

export const operationIds = Object.keys(operations) as OperationId[]
export const declaration = (id: OperationId): Declaration => operations[id]
export const groupOf = (id: OperationId): string => Object.entries(groups).find(([, group]) => id in group)![0]
/** Does it leave something behind? Every change does, and some reads are recorded. */
export const isRecorded = (id: OperationId): boolean => isChange(id) || Array.isArray(declaration(id).records)
