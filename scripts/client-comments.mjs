// What editors show of the client: a doc comment for each method, from the OpenAPI document.

/** The one declaration in `client.d.ts` that this replaces. */
const METHODS = /export type Methods = \{\s*\[Id in OperationId\]: \(\.\.\.args: Arguments<Id>\) => Promise<Output<Id>>;\s*\};/

/** `client.d.ts`, with a line and a comment for each method in place of one line for all. */
export function withComments(declarations, document) {
  if (!METHODS.test(declarations)) throw new Error('client.d.ts has no `Methods` as scripts/client-comments.mjs knows it')
  const methods = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => methodOf(operation, `${method.toUpperCase()} ${path}`)),
  )
  return declarations.replace(METHODS, () => `export interface Methods {\n${methods.join('\n')}\n}`)
}

function methodOf({ operationId, summary, description }, path) {
  const more = description === summary ? [] : ['', description]
  const lines = [summary, ...more, '', `\`${path}\``].map((line) => `     *${line && ` ${line.replaceAll('*/', '*\\/')}`}`)
  return `    /**\n${lines.join('\n')}\n     */\n    ${operationId}: (...args: Arguments<'${operationId}'>) => Promise<Output<'${operationId}'>>;`
}
