// Which methods a path takes: for 405, for preflights and for HEAD.
import { declaration, isChange, type OperationId, operationIds, route } from '@adjoin/contract'
import type { FastifyRequest } from 'fastify'
import { refuse } from '../refusal.ts'
import { pathOf } from './edges.ts'
import { MCP_PATH } from './mcp.ts'

/** A GET that writes (a callback, an export) must not be run by a HEAD that only looks. */
export function takesHead(id: OperationId): boolean {
  const { redirect, stream } = declaration(id)
  return !isChange(id) && !redirect && !stream
}

const table = [...Map.groupBy(operationIds, (id) => route(id)[1])].map(([path, ids]) => ({
  pattern: new RegExp(
    `^${path
      .replaceAll('.', '\\.')
      .replace(/\{path\}$/, '.+')
      .replace(/\{\w+\}/g, '[^/]+')}$`,
  ),
  methods: ids.flatMap((id) => (takesHead(id) ? ['GET', 'HEAD'] : [route(id)[0]])),
  static: !path.includes('{'),
}))

/** Those without parameters: another operation's parameter could be spelled like one of them. */
export const fixedPaths = new Map<string, readonly string[]>(
  operationIds.flatMap((id) => (route(id)[1].includes('{') ? [] : [[route(id)[1], allowedMethods(route(id)[1])!]])),
)

export function allowedMethods(url: string): string[] | undefined {
  const path = pathOf(url)
  if (path === MCP_PATH) return ['POST']
  const hits = table.filter(({ pattern }) => pattern.test(path))
  return (hits.find((hit) => hit.static) ?? hits[0])?.methods
}

export function refuseRoute(request: FastifyRequest, methodsOf: typeof allowedMethods): never {
  const methods = methodsOf(request.url)
  // A process that only does jobs knows the paths of the others.
  if (!methods || methods.includes(request.method)) return refuse('not_found')
  return refuse('method_not_allowed', { headers: { allow: [...methods, 'OPTIONS'].join(', ') } })
}
