// The content of the production image without an engine: the Dockerfile's COPY lines, run in a folder.
// Its `npm ci` is not run, since a test must not need a registry: the same packages are
// taken from what is installed, by the lock file's own account of them. No symbolic links:
// a package behind one would find its neighbours in the checkout, and hide that one is missing.
import { copyFileSync, cpSync, existsSync, linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))
export const fileOf = (path: string) => readFileSync(join(ROOT, path), 'utf8')

export interface Instruction {
  readonly name: string
  readonly rest: string
}

/** The stages of the Dockerfile, by name; the last one is `image`. */
export function stages(): Map<string, Instruction[]> {
  const text = fileOf('Dockerfile')
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
  const instructions = text.split('\n').flatMap((line) => {
    const [, name, rest] = /^([A-Z]+) +(.+)$/.exec(line) ?? []
    if (line && !name) throw new Error(`not an instruction: ${line}`)
    return name ? [{ name, rest: rest! }] : []
  })
  const found = new Map<string, Instruction[]>()
  for (const instruction of instructions) {
    if (instruction.name === 'FROM') found.set(/ AS (\w+)$/.exec(instruction.rest)?.[1] ?? 'image', [])
    else [...found.values()].at(-1)?.push(instruction)
  }
  return found
}

const all = (name: string) =>
  stages()
    .get('image')!
    .filter((instruction) => instruction.name === name)
    .map(({ rest }) => rest)
/** What a process in the image is started with. */
export const imageCommand = (): string[] => JSON.parse(all('CMD')[0]!)
export const imageHealthCheck = (): string[] => JSON.parse(/CMD (\[.+\])$/.exec(all('HEALTHCHECK')[0]!)![1]!)
/** Build arguments are left as a build without them leaves them. */
export const imageEnvironment = (): Record<string, string> =>
  Object.fromEntries(
    all('ENV')
      .flatMap((line) => line.split(' '))
      .map((pair) => pair.split('='))
      .filter(([, value]) => !value!.startsWith('$')),
  )

/**
 * What .dockerignore keeps from the builder:
 * of all patterns that match a path or a folder above it, the last decides.
 */
export function isIgnored(path: string, patterns = fileOf('.dockerignore').split('\n')): boolean {
  const above = path.split('/').map((_, i, parts) => parts.slice(0, i + 1).join('/'))
  let ignored = false
  for (const pattern of patterns.filter((line) => line && !line.startsWith('#'))) {
    const plain = pattern.replace(/^!/, '')
    if (above.some((one) => matching(plain).test(one))) ignored = plain === pattern
  }
  return ignored
}

/** A star stops at a slash, and takes a dot in front like any other letter. */
const matching = (pattern: string) =>
  new RegExp(`^${pattern.replace(/[.+^$()|[\]]/g, '\\$&').replace(/\*\*\/|\*/g, (star) => (star === '*' ? '[^/]*' : '(?:.*/)?'))}$`)

interface Locked {
  readonly dependencies?: Record<string, string>
  readonly resolved?: string
  readonly link?: boolean
}

/** What `npm ci --omit=dev --omit=optional --workspace api` installs, as paths below the checkout. */
export function productionPackages(): string[] {
  const { packages } = JSON.parse(fileOf('package-lock.json')) as { packages: Record<string, Locked> }
  const found = new Set<string>()
  const find = (from: string, name: string): string => {
    for (let at = from; ; at = at.includes('/') ? dirname(at) : '') {
      const path = join(at, 'node_modules', name)
      if (basename(at) !== 'node_modules' && packages[path]) return path
      if (!at) throw new Error(`${from} needs ${name}, which the lock file does not have`)
    }
  }
  const visit = (path: string) => {
    if (found.has(path)) return
    found.add(path)
    const { link, resolved } = packages[path]!
    const home = link ? resolved! : path
    for (const name of Object.keys(packages[home]!.dependencies ?? {})) visit(find(home, name))
  }
  visit('node_modules/@adjoin/api')
  return [...found].sort()
}

/** Carries out the COPY lines of the last stage. */
export function buildTree(folder: string): void {
  for (const line of all('COPY')) {
    const words = line.split(/ +/)
    const from = /^--from=(\w+)$/.exec(words[0]!)?.[1]
    const target = words.at(-1)!
    const sources = words.slice(from ? 1 : 0, -1)
    if (from === 'dependencies') installInto(folder)
    else if (from === 'portal') copyPortal(join(folder, target))
    else for (const source of sources) copyContext(source, join(folder, target.endsWith('/') ? join(target, basename(source)) : target))
  }
}

function copyPortal(target: string): void {
  const built = join(ROOT, 'portal/dist')
  if (!existsSync(built)) throw new Error('the portal is not built: run `npm run build`, or the tests by `npm test`, which builds it')
  cpSync(built, target, { recursive: true })
}

function installInto(folder: string): void {
  for (const path of productionPackages()) {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    if (name.startsWith('@adjoin/')) symlinkSync(join('../..', name.slice('@adjoin/'.length)), join(folder, path))
    else
      for (const file of filesIn(join(ROOT, path))) if (!file.includes('node_modules/')) place(join(path, file), join(folder, path, file))
  }
}

/** A second name for the same file, where the disk allows it: thousands of copies take their time. */
function place(source: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true })
  try {
    linkSync(join(ROOT, source), target)
  } catch {
    copyFileSync(join(ROOT, source), target)
  }
}

function copyContext(source: string, target: string): void {
  const from = join(ROOT, source)
  if (isIgnored(source)) throw new Error(`the Dockerfile copies ${source}, which .dockerignore leaves out`)
  cpSync(from, target, { recursive: true, filter: (path) => !isIgnored(relative(ROOT, path)) })
}

/** Every file of a folder, as paths below it. */
export const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
