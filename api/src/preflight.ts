// Conditions of a start, tried before anything is made: one that can't succeed leaves nothing behind.
import { once } from 'node:events'
import { accessSync, constants, mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import type { Config } from './config.ts'
import { refuseMetricsPort } from './metrics-port.ts'

/** The ports it will listen on are free, and it may write where it keeps data. */
export async function preflight(config: Config): Promise<void> {
  const { port, host, metricsPort, metricsHost, databaseUrl, sealKeys, dataDir } = config
  await listenOnce(port, host)
  if (metricsPort !== undefined) await listenOnce(metricsPort, metricsHost).catch(refuseMetricsPort)
  if (!databaseUrl || !sealKeys) requireWritable(dataDir)
}

async function listenOnce(port: number, host: string): Promise<void> {
  if (port === 0) return // the system chooses one that is free
  const server = createServer().listen({ port, host: host === 'localhost' ? '127.0.0.1' : host, exclusive: true })
  await once(server, 'listening') // rejects with what the system says
  server.close()
  await once(server, 'close')
}

function requireWritable(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Error(
      `Can’t write to DATA_DIR, ${folder} (${code}). Choose a folder that this account can write to, for example DATA_DIR=/var/lib/adjoin, ` +
        'or set DATABASE_URL and SEAL_KEYS: then none is needed.',
      { cause: error },
    )
  }
}
