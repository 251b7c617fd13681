// SQL as tagged templates over `pg`: fragments nest, everything else becomes a parameter,
// and every distinct text is prepared once per connection.
import { createHash } from 'node:crypto'
import type pg from 'pg'

export interface Fragment {
  readonly texts: readonly string[]
  readonly values: readonly unknown[]
}

// biome-ignore lint/suspicious/noExplicitAny: only the statement knows a row's shape: query<{ id: string }>(…)
export type Row = Record<string, any>

export type RunQuery = <R extends object = Row>(f: Fragment) => Promise<R[]>

// A symbol cannot come out of JSON:
// an object that a caller sent is always a parameter, even if it looks like a fragment.
const FRAGMENT = Symbol('fragment')
const isFragment = (value: unknown): value is Fragment => typeof value === 'object' && value !== null && FRAGMENT in value

/**
 * A piece of SQL. A list goes in as one array (`= any(${ids})`),
 * so that a statement keeps one text whatever its length.
 */
export function sql(strings: TemplateStringsArray, ...args: unknown[]): Fragment {
  const fragment = args.some(isFragment)
    ? { texts: textsOf(strings, args), values: valuesOf(args), [FRAGMENT]: true }
    : { texts: strings, values: args, [FRAGMENT]: true }
  return fragment
}

/** Not by `flatMap`: every statement passes here, and most of its arguments are single values. */
function valuesOf(args: readonly unknown[]): unknown[] {
  const values: unknown[] = []
  for (const arg of args) {
    if (isFragment(arg)) values.push(...arg.values)
    else values.push(arg)
  }
  return values
}

/**
 * A template with fragments in it, step by step from argument to argument:
 * it is put together when it is first met, and found from then on.
 */
interface TemplateStep {
  texts?: readonly string[]
  readonly next: Map<readonly string[], TemplateStep>
}
const templates = new WeakMap<TemplateStringsArray, TemplateStep>()
const VALUE: readonly string[] = ['', '']

function textsOf(strings: TemplateStringsArray, args: readonly unknown[]): readonly string[] {
  let step = stepAt(templates, strings)
  for (const arg of args) step = stepAt(step.next, isFragment(arg) ? arg.texts : VALUE)
  step.texts ??= joinTexts(strings, args)
  return step.texts
}

function stepAt<K extends object>(
  steps: { get(key: K): TemplateStep | undefined; set(key: K, step: TemplateStep): unknown },
  key: K,
): TemplateStep {
  const known = steps.get(key)
  if (known) return known
  const step: TemplateStep = { next: new Map() }
  steps.set(key, step)
  return step
}

function joinTexts(strings: TemplateStringsArray, args: readonly unknown[]): readonly string[] {
  const texts = [strings[0]!]
  args.forEach((arg, i) => {
    const [first, ...rest] = isFragment(arg) ? arg.texts : VALUE
    texts[texts.length - 1] += first!
    texts.push(...rest)
    texts[texts.length - 1] += strings[i + 1]!
  })
  return texts
}

const statements = new WeakMap<readonly string[], { readonly name: string; readonly text: string }>()

/**
 * What `pg` is given. The name is a hash of the text:
 * equal texts share a prepared statement, different ones never collide.
 */
export function statement({ texts, values }: Fragment, prepare = true): pg.QueryConfig {
  let known = statements.get(texts)
  if (!known) {
    const text = texts.reduce((all, part, i) => `${all}$${i}${part}`)
    known = { name: createHash('sha256').update(text).digest('base64url').slice(0, 22), text }
    statements.set(texts, known)
  }
  const { name, text } = known
  return prepare ? { name, text, values: [...values] } : { text, values: [...values] }
}
