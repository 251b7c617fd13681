// What a start says to the person who made it.
import { type Config, ConfigurationError } from './config.ts'

export function greeting(config: Config, workers?: string): string {
  const rows = [
    ['Portal', config.publicUrl],
    ...(config.smtpUrl ? [] : [['Mailbox', `${config.publicUrl}/dev/mailbox`]]),
    ['API', `${config.publicUrl}/docs`],
    ['Data', config.databaseUrl ? 'your PostgreSQL (DATABASE_URL)' : `${config.dataDir} (PostgreSQL runs inside)`],
    ...(workers ? [['Workers', workers]] : []),
  ]
  return `\n  Adjoin is ready. Ctrl-C stops it.\n\n${rows.map(([name, value]) => `  ${name!.padEnd(9)}${value}`).join('\n')}\n\n`
}

export const couldNotStart = (error: unknown): string => `\nAdjoin could not start.\n${sentence(error)}\n`

function sentence(error: unknown): string {
  if (error instanceof ConfigurationError) return error.message
  const { code, message, port } = error as NodeJS.ErrnoException & { port?: number }
  if (code === 'EADDRINUSE')
    return `Port ${port} is already in use by another program. Stop it, or choose another port: PORT=3001 npm start`
  return message ?? String(error)
}
