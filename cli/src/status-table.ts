import type { Output } from '@adjoin/contract'
import { cell, room, table } from './table.ts'
import { joined, paint, type Safe, safe, withoutControls } from './terminal.ts'
import { cut, padded, width, wrapped } from './width.ts'

export type ListedIntegration = Output<'listIntegrations'>['integrations'][number]
export type StatusRow = ListedIntegration & { workspace: string; why: string | null; accessEndsAt?: string | null }

const INDENT = 10

/** A table where there is room for it; else a line for each integration, with what is wrong below it. */
export function statusTable(rows: StatusRow[], available = room()): Safe {
  const ends = rows.some(({ accessEndsAt }) => accessEndsAt) ? ['accessEndsAt'] : []
  const columns = ['workspace', 'name', 'provider', 'status', 'mustAct', 'connectedAccount', 'statusCheckedAt', ...ends, 'why']
  if (widthOf(rows, columns) <= available) return table(rows, columns, available)
  return joined(
    rows.map((row) => entry(row, available)),
    '\n',
  )
}

const widthOf = (rows: StatusRow[], columns: string[]) =>
  columns.reduce(
    (sum, column) => sum + 2 + Math.max(column.length + 2, ...rows.map((row) => width(cell(row[column as keyof StatusRow])))),
    0,
  )

const colors = { active: 'green', error: 'red', pending: 'yellow', disabled: 'gray' } as const

function entry({ workspace, name, provider, status, mustAct, accessEndsAt, why }: StatusRow, available: number): Safe {
  const title = withoutControls(`${workspace} · ${name} · ${provider}`)
  const facts = [mustAct && `${mustAct} must act`, accessEndsAt && `access ends ${accessEndsAt.slice(0, 10)}`].filter(Boolean).join(', ')
  const below = wrapped(withoutControls([facts, why].filter(Boolean).join(': ')), available - INDENT)
  const gap = padded('', Math.max(1, INDENT - status.length))
  const first = safe`${paint(colors[status], status)}${gap}${cut(title, available - INDENT)}`
  return joined([first, ...below.map((line) => safe`${padded('', INDENT)}${line}`)], '\n')
}
