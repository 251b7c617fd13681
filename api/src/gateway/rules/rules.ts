// What the gateway knows of one ad system's API, written as tables of lines and read once at the start.

import type { Credential, FieldValues } from '../../providers/provider.ts'
import { exactPattern, partPattern, widePattern } from '../pattern.ts'
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
   * `[personal] query|body|header|parameter name[=*part of a value*] [on pattern] [but name …]`; a `parameter` is one of the query or of a form.
   * `*part*` of a name, `name*` its beginning, `**.name` at any depth, `any` name or value, `[]` a list as body.
   */
  readonly parameters: string
  /** `METHOD pattern`: reads although they are no GET. A GET that is none must be denied. */
  readonly reads: string
  /** Reads on a condition. */
  readonly readsWhen?: readonly { readonly row: string; readonly when: (request: VendorRequest) => boolean }[]
  /** Bodies may be forms; else JSON alone is read the way the ad system does. */
  readonly forms?: true
  /** Headers that a caller may set besides the common ones, in lower case. */
  readonly headers?: readonly string[]
  /** Overrides the tables where one path does everything. */
  readonly effect?: (request: VendorRequest) => Effect | Undecided
  /** Reads personal data where no line of a table can say so. */
  readonly personal?: (request: VendorRequest) => boolean
  readonly inject: (access: Access) => Injected
  /** What no line of a table can say; a sentence, where there is more to say than that it is closed. */
  readonly refuses?: (request: VendorRequest, ownApp: string | undefined) => boolean | string
}

export type Effect = 'read' | 'change'

/** Cannot be judged, and why. */
export interface Undecided {
  readonly refused: string
}

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
  readonly forms: boolean
  readonly allow: readonly { readonly host: string | undefined; readonly pattern: RegExp }[]
  readonly deny: readonly { readonly class: DenyClass; readonly method: string; readonly pattern: RegExp }[]
  readonly parameters: readonly ParameterRule[]
  readonly reads: readonly MethodRule[]
  readonly effect: RuleTables['effect']
  readonly personal: RuleTables['personal']
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
  readonly in: 'query' | 'body' | 'header' | 'parameter'
  /** Of a table's line. `value` is what a value has in it. */
  readonly name: string
  readonly value: RegExp | undefined
  readonly on: RegExp
  /** Names that it is not about, as they are written. */
  readonly but: readonly string[]
}

/** Another method, address or form of the answer: no vendor needs them, and some would listen. */
const OVERRIDES = ['header', 'parameter']
  .flatMap((where) =>
    ['*method-override*', '*methodoverride*', 'x-http-method', 'x-original-url', 'x-rewrite-url'].map((name) => `${where} ${name}`),
  )
  .concat(['parameter _method', 'parameter callback', 'parameter jsonp'])
  .join('\n')

export function rules({ hosts, headers = [], versions = [], ...tables }: RuleTables): GatewayRules {
  const methodRule = (row: string): MethodRule => {
    const [method, pattern] = row.split(' ') as [string, string]
    return { method, pattern: exactPattern(pattern, versions) }
  }
  let host: string | undefined
  return {
    hosts,
    headers,
    forms: tables.forms === true,
    effect: tables.effect,
    personal: tables.personal,
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
  const [, personal, where, name, value, on, but = ''] =
    /^(personal )?(query|body|header|parameter) (\*\*\.[^\s=]+|\*[^\s*=]+\*|[^\s=*]+\*?)(?:=\*(\S+)\*)?(?: on (\S+))?(?: but (.+))?$/.exec(
      line,
    ) ?? []
  if (!where || !name) throw new Error(`not a row of parameters: ${line}`)
  return {
    personal: personal !== undefined,
    in: where as ParameterRule['in'],
    name,
    value: value === undefined ? undefined : partPattern(value),
    on: widePattern(on ?? '*'),
    but: but.split(' ').filter(Boolean),
  }
}
