import type { ListedOperation } from '../document.ts'
import type { Filled } from '../request.ts'
import { cli } from './cli.ts'
import { curl } from './curl.ts'
import { python } from './python.ts'
import { typescript } from './typescript.ts'

export const codeLanguages = ['curl', 'CLI', 'TypeScript', 'Python'] as const
export type CodeLanguage = (typeof codeLanguages)[number]

const NO_COMMAND = '# Only a browser does this: there is no command for it.'

/** The same request in every language. Credentials are named, never shown. */
export const codeOf = (entry: ListedOperation, filled: Filled, server: string): Record<CodeLanguage, string> => ({
  curl: curl(entry, filled, server),
  CLI: cli(entry, filled) ?? NO_COMMAND,
  TypeScript: typescript(entry, filled, server),
  Python: python(entry, filled, server),
})
