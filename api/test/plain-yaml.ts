// As much of YAML as our own files use: maps, lists, scalars, block texts, anchors, merges. Anything else is refused, not guessed at.

export type Yaml = string | number | boolean | null | Yaml[] | { [key: string]: Yaml }
export type YamlMap = { [key: string]: Yaml }

interface Line {
  readonly indent: number
  readonly text: string
  readonly number: number
}

const KEY = /^("[^"]+"|[\w.<\-/$]+):(?: +(.*))?$/

export function parseYaml(source: string): Yaml {
  const raw = source.split('\n')
  const lines: Line[] = raw.map((text, i) => ({
    indent: text.length - text.trimStart().length,
    text: uncommented(text).trim(),
    number: i + 1,
  }))
  const anchors = new Map<string, Yaml>()
  let at = 0

  const fail = (what: string): never => {
    throw new Error(`line ${lines[at]?.number ?? raw.length}: ${what}`)
  }
  const next = (): Line | undefined => {
    while (at < lines.length && !lines[at]!.text) at++
    return lines[at]
  }

  /** Everything that is indented by at least `indent`, as one value. */
  function block(indent: number): Yaml {
    const line = next()
    if (!line || line.indent < indent) return null
    return line.text.startsWith('- ') || line.text === '-' ? list(line.indent) : map(line.indent)
  }

  function list(indent: number): Yaml[] {
    const items: Yaml[] = []
    for (let line = next(); line?.indent === indent && /^-( |$)/.test(line.text); line = next()) {
      const rest = line.text.slice(1).trimStart()
      if (KEY.test(rest)) {
        const inner = indent + line.text.length - rest.length
        lines[at] = { ...line, indent: inner, text: rest } // the map begins on the dash's own line
        items.push(map(inner))
      } else {
        at++
        items.push(rest ? scalar(rest) : block(indent + 1))
      }
    }
    return items
  }

  function map(indent: number): YamlMap {
    const made: YamlMap = {}
    const merged: YamlMap = {}
    for (let line = next(); line && line.indent >= indent; line = next()) {
      const [, key, value = ''] = line.indent === indent ? (KEY.exec(line.text) ?? []) : []
      if (!key) return fail(`expected \`key: value\`, found ${line.text}`)
      const name = key.replace(/^"|"$/g, '')
      if (name in made) return fail(`${name} stands there twice`)
      at++
      const result = valueAt(value, indent)
      if (name === '<<') Object.assign(merged, result)
      else made[name] = result
    }
    return { ...merged, ...made }
  }

  function valueAt(text: string, indent: number): Yaml {
    const [, anchor, rest = ''] = /^(?:&([\w-]+) *)?(.*)$/.exec(text)!
    const value = /^[|>]-?$/.test(rest) ? textBlock(rest, indent) : rest ? scalar(rest) : block(indent + 1)
    if (anchor) anchors.set(anchor, value)
    return value
  }

  /** Lines as they stand, comments included; `>` folds them into one. */
  function textBlock(style: string, indent: number): string {
    const kept: string[] = []
    const deep = (i: number) => raw[i]!.length - raw[i]!.trimStart().length
    for (; at < raw.length && (!raw[at]!.trim() || deep(at) > indent); at++) kept.push(raw[at]!)
    const cut = Math.min(...kept.filter((line) => line.trim()).map((line) => line.length - line.trimStart().length))
    const text = kept
      .map((line) => line.slice(cut))
      .join('\n')
      .trimEnd()
    return style.startsWith('>') ? text.replace(/\n+/g, ' ') : text
  }

  function scalar(text: string): Yaml {
    if (text.startsWith('*')) return structuredClone(anchors.get(text.slice(1)) ?? fail(`${text} names nothing`))
    if (text.startsWith('"')) return JSON.parse(text) as string
    if (text.startsWith('[')) {
      if (!text.endsWith(']')) return fail('a list in brackets must end on its line')
      const items = text.slice(1, -1).match(/\s*"[^"]*"|[^,]+/g) ?? []
      return items.map((item) => scalar(item.trim()))
    }
    if (/^['{&!%@`]|: /.test(text)) return fail(`${text} needs quotes`)
    if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text)
    return text === 'true' ? true : text === 'false' ? false : text === 'null' ? null : text
  }

  const value = block(0)
  if (next()) fail(`${lines[at]!.text} is indented as nothing before it`)
  return value
}

/** A `#` begins a comment at the start and behind a space, unless it is quoted. */
const uncommented = (text: string) => text.replace(/^((?:"[^"]*"|[^"#]|(?<=\S)#)*?)(?:(?<=^|\s)#.*)?$/, '$1')
