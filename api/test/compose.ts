// compose.yaml as the engine would read it.
import { join } from 'node:path'
import { parse } from 'yaml'
import { fileOf } from './production-tree.ts'

export type YamlMap = Record<string, unknown>

export const compose = () => parse(fileOf('compose.yaml'), { merge: true }) as YamlMap
export const composeServices = () => compose().services as Record<string, YamlMap>
/** Those that run our own image. */
export const ownServices = () => Object.entries(composeServices()).filter(([, { image }]) => String(image).includes('ADJOIN_IMAGE'))

/** `${NAME:?why}` and `${NAME:-else}`, from the shell that calls compose. */
function interpolated(text: string, shell: Record<string, string>): string {
  return text.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name, sign, rest) => {
    if (shell[name]) return shell[name]
    if (sign === '?') throw new Error(`required variable ${name} is missing a value: ${rest}`)
    return sign === '-' ? rest : ''
  })
}

/** The environment of one service, with its secrets in a folder of ours instead of /run/secrets. */
export function serviceEnvironment(name: string, secrets: string, shell: Record<string, string>): Record<string, string> {
  const { environment, secrets: granted } = composeServices()[name]!
  const entries = Object.entries(environment as YamlMap).map(([key, value]) => {
    const text = interpolated(String(value), shell)
    const secret = /^\/run\/secrets\/(\w+)$/.exec(text)?.[1]
    if (secret && !(granted as string[]).includes(secret)) throw new Error(`${name} reads the secret ${secret}, which it is not given`)
    return [key, secret ? join(secrets, secret) : text]
  })
  return Object.fromEntries(entries)
}
