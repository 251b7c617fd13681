// The twins of the ad systems, in a process of development or of tests.
import type { Development } from './call.ts'
import type { Config } from './config.ts'
import { CALLBACK } from './features/connect/start-connect-oauth.ts'
import type { Secrets } from './vault/tokens.ts'

export interface RunningSandbox {
  readonly url: string
  readonly visit?: Development['twins']
  close(): Promise<void>
}

/** Imported by name, and never in production, whose image does not even hold the file. */
export async function startSandbox(config: Config, secrets: Secrets): Promise<RunningSandbox> {
  const { createSandbox } = await import('./sandbox/index.ts')
  const { visit, listen } = createSandbox({
    secret: secrets.lookup('sandbox', 'twins').toString('base64url'),
    environment: config.environment,
    redirectUri: config.publicUrl + CALLBACK,
  })
  return { visit, ...(await listen()) }
}
