// What values of PostgreSQL become here.
import pg from 'pg'
import { instant } from './instant.ts'

/**
 * int8 comes back as a number, or not at all:
 * a rounded one would be a quiet lie. Everything else as `pg` does it.
 */
export const getTypeParser = (oid: number, format?: 'text' | 'binary') => parsers[oid] ?? pg.types.getTypeParser(oid, format as 'text')

const integer = (text: string): number => {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is too large for a number: select it as text.`)
  return value
}

const parsers: Record<number, (text: string) => unknown> = {
  [pg.types.builtins.INT8]: integer,
  [pg.types.builtins.TIMESTAMPTZ]: instant,
}
