// What the gateway knows of one ad system's API, written as tables of lines and read once at the start.

import type { Credential, FieldValues } from '../../providers/provider.ts'
import { exactPattern, widePattern } from '../pattern.ts'
import type { VendorRequest } from '../vendor-request.ts'

/** Why a path is closed. `personal` is closed to viewers only; `tunnel` carries other calls inside of one. */
export type DenyClass = 'mint' | 'reveal' | 'grant' | 'rotate' | 'export' | 'tunnel' | 'personal'

export interface HostRule {
  readonly host: string
  /** A setting or connect field and the value that it must have. */
  readonly when?: readonly [name: string, value: string]
}

export interface RuleTables {
  /** The first one that is open to a connection is taken when a call names none. */
  readonly hosts: readonly HostRule[]
  readonly versions?: readonly string[]
  /** A pattern a line; those below `@host` are that host's alone. */
  readonly allow: string
  /** `class METHOD pattern` */
  readonly deny: string
  /**
   * `[personal] query|body|header name[=*part of a value*] [on pattern]`;
   * `*part*` of a name, `**.name` at any depth,
   * `any` name or value, `[]` a list as body.
   */
  readonly parameters: string
  /** `METHOD pattern`: reads although they are no GET. A GET that is none must be denied. */
  readonly reads: string
  /** Reads on a condition. */
  readonly readsWhen?: readonly { readonly row: string; readonly when: (request: VendorRequest) => boolean }[]
  /** Headers that a caller may set besides the common ones, in lower case. */
  readonly headers?: readonly string[]
  /** Overrides the tables where one path does everything. Undefined: cannot be judged, so it is refused. */
  readonly effect?: (request: VendorRequest) => Effect | undefined
  readonly inject: (access: Access) => Injected
  /** What no line of a table can say; a sentence, where there is more to say than that it is closed. */
  readonly refuses?: (request: VendorRequest, ownApp: string | undefined) => boolean | string
}

export type Effect = 'read' | 'change'

/** What a connection is called with. */
export interface Access {
  readonly credential: Credential
  /** The operator's app. */
  readonly app: Readonly<Record<string, string>>
  readonly settings: Partial<FieldValues>
  readonly version: string
}

export interface Injected {
  readonly headers: Readonly<Record<string, string>>
  /** From the settings, unless the caller says otherwise. */
  readonly defaults?: Readonly<Record<string, string | undefined>>
  readonly query?: Readonly<Record<string, string>>
}

export interface GatewayRules {
  readonly hosts: readonly HostRule[]
  readonly headers: readonly string[]
  readonly allow: readonly { readonly host: string | undefined; readonly pattern: RegExp }[]
  readonly deny: readonly { readonly class: DenyClass; readonly method: string; readonly pattern: RegExp }[]
  readonly parameters: readonly ParameterRule[]
  readonly reads: readonly MethodRule[]
  readonly effect: RuleTables['effect']
  readonly inject: RuleTables['inject']
  readonly refuses: RuleTables['refuses']
  /** For readers: the paths that are open, which versions, and what reads although it is no GET, as the tables write them. */
  readonly written: { readonly versions: readonly string[]; readonly paths: readonly string[]; readonly reads: readonly string[] }
}

export interface MethodRule {
  readonly method: string
  readonly pattern: RegExp
  readonly when?: (request: VendorRequest) => boolean
}

export interface ParameterRule {
  readonly personal: boolean
  readonly in: 'query' | 'body' | 'header'
  /** Of a table's line. `value` is in lower case. */
  readonly name: string
  readonly value: string | undefined
  readonly on: RegExp
}

/** No vendor needs them, and some would listen. */
const OVERRIDES = 'header *method-override*\nheader x-http-method\nheader x-original-url\nheader x-rewrite-url'

export function rules({ hosts, headers = [], versions = [], ...tables }: RuleTables): GatewayRules {
  const methodRule = (row: string): MethodRule => {
    const [method, pattern] = row.split(' ') as [string, string]
    return { method, pattern: exactPattern(pattern, versions) }
  }
  let host: string | undefined
  return {
    hosts,
    headers,
    effect: tables.effect,
    inject: tables.inject,
    refuses: tables.refuses,
    written: {
      versions,
      paths: lines(tables.allow),
      reads: [...lines(tables.reads), ...(tables.readsWhen ?? []).map(({ row }) => row)],
    },
    allow: lines(tables.allow).flatMap((line) => {
      if (!line.startsWith('@')) return { host, pattern: exactPattern(line, versions) }
      host = line.slice(1)
      return []
    }),
    deny: lines(tables.deny).map((line) => {
      const [className, method, pattern] = line.split(' ') as [DenyClass, string, string]
      return { class: className, method, pattern: widePattern(pattern) }
    }),
    parameters: lines(`${tables.parameters}\n${OVERRIDES}`).map(parameterRule),
    reads: [...lines(tables.reads).map(methodRule), ...(tables.readsWhen ?? []).map(({ row, when }) => ({ ...methodRule(row), when }))],
  }
}

const lines = (text: string): string[] => text.split('\n').flatMap((line) => line.trim() || [])

function parameterRule(line: string): ParameterRule {
  const [, personal, where, name, value, on] =
    /^(personal )?(query|body|header) (\*\*\.[^\s=]+|\*[^\s*=]+\*|[^\s=*]+)(?:=\*(\S+)\*)?(?: on (\S+))?$/.exec(line) ?? []
  if (!where || !name) throw new Error(`not a row of parameters: ${line}`)
  return {
    personal: personal !== undefined,
    in: where as ParameterRule['in'],
    name,
    value: value?.toLowerCase(),
    on: widePattern(on ?? '*'),
  }
}
