import { declaration, isChange, type OperationId, operationIds } from '@adjoin/contract'
import type { FastifyRequest } from 'fastify'
import * as z from 'zod'
import { refuse } from '../refusal.ts'
import { fieldErrors } from './problem.ts'

export interface Input {
  readonly params: Record<string, unknown>
  readonly query: unknown
  readonly body: unknown
}

const noParams = z.object({})
const noQuery = z.strictObject({})
const noBody = z.strictObject({}).optional()

/** Put together once: making a schema costs more than parsing with it. */
const shapes = new Map(
  operationIds.map((id) => {
    const { params = noParams, query = noQuery, body = noBody } = declaration(id)
    return [id, { params, query, body: isChange(id) ? body : undefined }]
  }),
)

/** Without its input an issue does not tell a wrong value from a missing one. */
const TELLING = { reportInput: true }

/** Params, query and body against their schemas; all faults are told at once. */
export function parseInput(id: OperationId, request: FastifyRequest): Input {
  const shape = shapes.get(id)!
  const params = shape.params.safeParse(request.params, TELLING)
  const query = shape.query.safeParse(request.query, TELLING)
  const body = shape.body?.safeParse(request.body, TELLING)
  if (params.success && query.success && body?.success !== false) return { params: params.data, query: query.data, body: body?.data }
  return refuse('validation_failed', { errors: [params, query, body].flatMap((part) => (part?.error ? fieldErrors(part.error) : [])) })
}
