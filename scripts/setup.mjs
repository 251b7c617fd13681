// Runs before `npm start`, `npm test` and the rest, on whatever Node the machine has (20 or later): node: imports only.
// It installs what the lock file says when that is newer than what is installed, with --bench also what `npm run bench` is
// measured beside, and with --portal builds the web application when its sources are newer than the build.
// Nothing to do takes a few milliseconds.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const changed = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0)

/** The newest change below a folder, or of a file. */
function newest(path) {
  if (!existsSync(path)) return 0
  if (!statSync(path).isDirectory()) return changed(path)
  return readdirSync(path).reduce((latest, name) => Math.max(latest, newest(join(path, name))), 0)
}

function run(what, command, args, cwd = root) {
  console.log(`adjoin: ${what} …`)
  // What npm prints is shown only if it fails: the engines warnings speak of the outer Node, not of the one we run on.
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', shell: process.platform === 'win32' })
  if (status === 0) return
  console.error(`${stdout}\n${stderr}\nadjoin: ${what} failed (${command} ${args.join(' ')})`)
  process.exit(1)
}

function install(folder, what) {
  const installed = changed(join(folder, 'node_modules/.package-lock.json'))
  if (installed < changed(join(folder, 'package-lock.json'))) run(what, 'npm', ['ci'], folder)
}

install(root, 'installing what the lock file names')
if (process.argv.includes('--bench')) install(join(root, 'bench'), 'installing what the bench measures beside')

if (process.argv.includes('--portal')) {
  const portal = join(root, 'portal')
  const sources = ['src', 'index.html', 'connect.html', 'vite.config.ts', 'package.json', '../contract/src'].map((path) =>
    newest(join(portal, path)),
  )
  if (changed(join(portal, 'dist/index.html')) < Math.max(...sources))
    run('building the portal', 'npm', ['run', 'build', '--workspace', 'portal'])
}
