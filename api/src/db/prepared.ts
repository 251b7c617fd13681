// A prepared statement that asks for the shape of its rows once per connection.
// `pg` asks every time, and builds it again from the answer.
// It leans on fields that `pg` does not promise: prepared.test.ts says by name what an upgrade has moved.
// The server vouches for the shape: when a column has changed, it refuses to run the statement (0A000).
import pg from 'pg'
import type { Row } from './sql.ts'

export interface Statement {
  readonly name: string
  readonly text: string
  readonly values: readonly unknown[]
}

interface Shape {
  readonly names: readonly string[]
  readonly parsers: readonly ((text: string) => unknown)[]
  /** Copied for every row: an object that has all its columns from the start is quick to make and to read. */
  readonly blank: Row
}

interface ColumnField {
  readonly name: string
  readonly dataTypeID: number
}

/** What a query of `pg` is made of, as far as it is overridden here. */
interface PgQuery {
  name: string
  readonly _result: { readonly _types: { getTypeParser(oid: number, format: 'text'): (text: string) => unknown }; addRow(row: Row): void }
  _canceledDueToError: unknown
  prepare(connection: object): void
  handleCommandComplete(message: object, connection: object): void
}
export type QueryCallback = (error: Error | null, result: pg.QueryResult) => void
const PgQuery = pg.Query as unknown as new (text: string, values: readonly unknown[], answered: QueryCallback) => PgQuery

/** Of every connection: the shapes it knows, and itself with `describe` left out. */
const connections = new WeakMap<object, { readonly shapes: Map<string, Shape>; readonly quiet: object }>()

function knownShapes(connection: object) {
  let known = connections.get(connection)
  if (!known) {
    known = { shapes: new Map(), quiet: Object.create(connection, { describe: { value: () => {} } }) }
    connections.set(connection, known)
  }
  return known
}

const NO_COLUMNS: Shape = { names: [], parsers: [], blank: {} }

// A class, for `pg` calls its methods as the answer comes in.
class PreparedQuery extends PgQuery {
  shape: Shape | undefined

  constructor({ name, text, values }: Statement, answered: QueryCallback) {
    super(text, values, answered)
    this.name = name
  }

  override prepare(connection: object): void {
    const { shapes, quiet } = knownShapes(connection)
    this.shape = shapes.get(this.name)
    super.prepare(this.shape ? quiet : connection)
  }

  handleRowDescription({ fields }: { fields: readonly ColumnField[] }): void {
    this.shape = {
      names: fields.map(({ name }) => name),
      parsers: fields.map(({ dataTypeID }) => this._result._types.getTypeParser(dataTypeID, 'text')),
      blank: Object.fromEntries(fields.map(({ name }) => [name, null])),
    }
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    if (this._canceledDueToError) return
    const { names, parsers, blank } = this.shape!
    const row = { ...blank }
    try {
      for (let i = 0; i < fields.length; i++) {
        const text = fields[i]
        if (text != null) row[names[i]!] = parsers[i]!(text)
      }
    } catch (error) {
      this._canceledDueToError = error
      return
    }
    this._result.addRow(row)
  }

  override handleCommandComplete(message: object, connection: object): void {
    knownShapes(connection).shapes.set(this.name, this.shape ?? NO_COLUMNS)
    super.handleCommandComplete(message, connection)
  }
}

/** Sends a statement that has a name; `answered` hears of it once. */
export const sendPrepared = (client: pg.ClientBase, statement: Statement, answered: QueryCallback): void =>
  void client.query(new PreparedQuery(statement, answered) as unknown as pg.Submittable)
