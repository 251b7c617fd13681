// What may stand where on a command line: the same for every shell.
import { providerIds } from '@adjoin/contract'
import type { Command } from 'commander'

/** Words that are always the same, or the kind of a value that the service knows. */
export type Offer = { readonly words: readonly string[] } | { readonly kind: Kind }

/** `files` are for the shell to find; the others are printed by `adjoin completion values`. */
export const kinds = [
  'files',
  'profiles',
  'organizations',
  'workspaces',
  'places',
  'integrations',
  'keys',
  'members',
  'sessions',
  'invitations',
  'workspace-invitations',
  'my-invitations',
  'webhooks',
  'requests',
] as const
export type Kind = (typeof kinds)[number]

export interface Node {
  readonly path: string
  readonly children: readonly { readonly name: string; readonly text: string }[]
  readonly options: readonly { readonly name: string; readonly takes: boolean; readonly text: string; readonly offer?: Offer }[]
  /** By place. */
  readonly operands: readonly (Offer | undefined)[]
}

/** Flags that choose as whom and where the values of others are looked up. */
export const lookups = ['--org', '--workspace', '--url', '--profile'] as const

export function treeOf(command: Command, path = ''): Node[] {
  const children = command.commands.filter((child) => !(child as Command & { _hidden?: boolean })._hidden)
  const own: Node = {
    path,
    children: children.map((child) => ({ name: child.name(), text: child.description() })),
    options: [
      ...command.options.flatMap(({ long, required, argChoices, flags, description }) => {
        const offer = argChoices ? { words: argChoices } : ofOption(long ?? '', flags)
        return long ? [{ name: long, takes: required, text: description, ...(offer && { offer }) }] : []
      }),
      { name: '--help', takes: false, text: 'show help' },
    ],
    operands: command.registeredArguments.map((one) => (one.argChoices ? { words: one.argChoices } : ofArgument(path, one.name()))),
  }
  return [own, ...children.flatMap((child) => treeOf(child, `${path} ${child.name()}`.trim()))]
}

const OPTIONS: Record<string, Kind> = {
  '--profile': 'profiles',
  '--org': 'organizations',
  '--workspace': 'workspaces',
  '--workspace-slug': 'workspaces',
  '--owner-id': 'members',
  '--actor': 'members',
  '--ids': 'integrations',
}

function ofOption(name: string, flags: string): Offer | undefined {
  const kind = flags.endsWith('<file>') ? 'files' : OPTIONS[name]
  return kind && { kind }
}

const ARGUMENTS: Record<string, Kind> = {
  file: 'files',
  'org/workspace': 'places',
  integration: 'integrations',
  userId: 'members',
  requestId: 'requests',
}

/** An `id` is that of the resource, with a few exceptions. */
const IDS: Record<string, Kind> = {
  'workspaces cancel-invitation': 'workspace-invitations',
  'workspaces resend-invitation': 'workspace-invitations',
  me: 'my-invitations',
}

function ofArgument(path: string, name: string): Offer | undefined {
  const [resource] = path.split(' ')
  if (name === 'provider') return { words: resource === 'signin' ? ['google', 'microsoft'] : providerIds }
  const kind = name === 'id' ? (IDS[path] ?? IDS[resource!] ?? kinds.find((one) => one === resource)) : ARGUMENTS[name]
  return kind && { kind }
}
