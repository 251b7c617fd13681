// SQL as tagged templates over `pg`: fragments nest, everything else becomes a parameter, and every distinct text is prepared once per connection.
import { createHash } from 'node:crypto'
import type pg from 'pg'

export interface Fragment {
  readonly texts: readonly string[]
  readonly values: readonly unknown[]
}

// biome-ignore lint/suspicious/noExplicitAny: a row's shape is known to the statement alone; callers that care name it: query<{ id: string }>(…)
export type Row = Record<string, any>

export type Query = <R extends object = Row>(f: Fragment) => Promise<R[]>

// A symbol cannot come out of JSON: an object that a caller sent is always a parameter, even if it looks like a fragment.
const made = Symbol('fragment')
const isFragment = (value: unknown): value is Fragment => typeof value === 'object' && value !== null && made in value

/** A piece of SQL. A list goes in as one array (`= any(${ids})`), so that a statement keeps one text whatever its length. */
export function sql(strings: TemplateStringsArray, ...args: unknown[]): Fragment {
  const texts = [strings[0]!]
  const values: unknown[] = []
  const append = (text: string) => {
    texts[texts.length - 1] += text
  }
  args.forEach((arg, i) => {
    if (isFragment(arg)) {
      append(arg.texts[0]!)
      texts.push(...arg.texts.slice(1))
      values.push(...arg.values)
      append(strings[i + 1]!)
    } else {
      values.push(arg)
      texts.push(strings[i + 1]!)
    }
  })
  const fragment = { texts, values, [made]: true }
  return fragment
}

const names = new Map<string, string>()

/** What `pg` is given. The name is a hash of the text: equal texts share a prepared statement, different ones never collide. */
export function statement({ texts, values }: Fragment, prepare = true): pg.QueryConfig {
  const text = texts.reduce((all, part, i) => `${all}$${i}${part}`)
  if (!prepare) return { text, values: [...values] }
  let name = names.get(text)
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 22)
    names.set(text, name)
  }
  return { name, text, values: [...values] }
}
