// Reads settings one by one, and keeps what is wrong with any of them.
import { readFileSync } from 'node:fs'

export type EnvironmentVariables = Record<string, string | undefined>

/** `faults`: in lines a person can act on, with the setting's name, what it must be and an example. */
export function settingsReader(env: EnvironmentVariables) {
  const faults: string[] = []
  const fault = (name: string, expected: string, example: string) => {
    faults.push(`${name} must be ${expected}, for example ${name}=${example}`)
  }
  /** A secret may come as a file: `<NAME>_FILE` is read, its last line break dropped. */
  const raw = (name: string): string | undefined => {
    const file = env[`${name}_FILE`]
    if (!file) return env[name]?.trim() || undefined
    if (env[name]?.trim()) faults.push(`${name} and ${name}_FILE are both set: keep one of them`)
    try {
      return readFileSync(file, 'utf8').trim() || undefined
    } catch {
      faults.push(
        `${name}_FILE must name a readable file, for example ${name}_FILE=/run/secrets/${name.toLowerCase()}; ${file} can’t be read`,
      )
      return undefined
    }
  }
  function read<T>(name: string, fallback: T, expected: string, example: string, parse: (text: string) => T | undefined): T {
    const text = raw(name)
    if (text === undefined) return fallback
    const value = parse(text)
    if (value === undefined) fault(name, expected, example)
    return value ?? fallback
  }
  const list = (name: string, expected: string, example: string, each: (item: string) => string | undefined) =>
    read<string[]>(name, [], expected, example, (text) => {
      const items = text
        .split(',')
        .map((item) => item.trim())
        .filter(Boolean)
        .map(each)
      return items.includes(undefined) ? undefined : (items as string[])
    })
  return { faults, fault, raw, read, list }
}
