// `npm run dev`: the service restarts and the portal is rebuilt whenever a source changes.
import { spawn } from 'node:child_process'

const commands = [
  ['node', ['--watch', '--watch-preserve-output', '--watch-path=api/src', '--watch-path=contract/src', 'api/src/main.ts']],
  ['npx', ['vite', 'build', 'portal', '--watch', '--logLevel', 'warn']],
]
const children = commands.map(([command, args]) => spawn(command, args, { stdio: 'inherit' }))
const stop = () => {
  for (const child of children) child.kill('SIGTERM')
}
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop)
for (const child of children) child.on('exit', stop)
