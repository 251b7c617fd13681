import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, ProblemError } from '@adjoin/contract'
import type { Command } from 'commander'
import { openBrowser } from '../browser.ts'
import { type Context, clientOf, type Flags } from '../context.ts'
import { CommandFailure, EXIT } from '../failure.ts'
import { print } from '../output.ts'
import type { Saved } from '../saved.ts'
import { readSecret } from '../secret.ts'
import { note, paint, say } from '../terminal.ts'

export function addLogin(program: Command, open: (flags: Flags) => Context, env: NodeJS.ProcessEnv): void {
  program
    .command('login')
    .description('Sign in through the browser, or with an API key')
    .option('--with-key', 'read an API key from standard input instead (for automation)')
    .option('--no-browser', 'print the address instead of opening it')
    .addHelpText(
      'after',
      '\nExamples:\n  adjoin login\n  adjoin login --with-key < key.txt\n  adjoin login --url https://adjoin.agency.example',
    )
    .action(async (options: { withKey?: boolean; browser: boolean }, command: Command) => {
      const { url, saved } = open({ ...command.optsWithGlobals<Flags>(), newProfile: true })
      if (options.withKey) return loginWithKey(url, saved, env)
      const { token, user } = await deviceLogin(clientOf(url, {}, env), options.browser)
      saved.save({ url, token, apiKey: undefined })
      await rememberOnlyOrganization(clientOf(url, { authorization: `Bearer ${token}` }, env), saved)
      say`Signed in as ${paint('bold', user.email)}.\n`
      for (const name of ['ADJOIN_API_KEY', 'ADJOIN_TOKEN'])
        if (env[name]) note`${name} is set and takes precedence over this login. Unset it to use the session.\n`
    })

  program
    .command('logout')
    .description('Sign out and forget the session')
    .addHelpText('after', '\nExample:\n  adjoin logout')
    .action(async (_: object, command: Command) => {
      const { url: here, saved } = open(command.optsWithGlobals())
      const { url = here, token } = saved.context
      if (token)
        await clientOf(url, { authorization: `Bearer ${token}` }, env)
          .signOut()
          .catch(ignoreEnded)
      saved.forget()
      say`Signed out.\n`
    })

  program
    .command('whoami')
    .description('Show who is signed in, and to which service')
    .addHelpText('after', '\nExamples:\n  adjoin whoami\n  adjoin whoami --json')
    .action(async (_: object, command: Command) => {
      const context = open(command.optsWithGlobals())
      if (!context.signedIn) throw new CommandFailure(EXIT.auth, 'Not signed in. Run `adjoin login`, or set ADJOIN_API_KEY.')
      const answer = 'x-api-key' in context.headers ? await context.client.getCurrentApiKey() : await context.client.getMe()
      print({ ...answer, service: context.url }, context.json)
    })
}

async function loginWithKey(url: string, saved: Saved, env: NodeJS.ProcessEnv): Promise<void> {
  const apiKey = await readSecret('API key: ')
  const key = await clientOf(url, { 'x-api-key': apiKey }, env).getCurrentApiKey()
  saved.save({
    url,
    apiKey,
    token: undefined,
    org: key.organization.slug,
    ...(key.workspaceSlug && { workspace: key.workspaceSlug }),
  })
  say`Signed in with the ${key.level} key ${paint('bold', key.name)} of ${key.organization.name}.\n`
}

/** RFC 8628: the person approves in a browser, wherever that is; we ask until it is done. */
async function deviceLogin(client: Client, browser: boolean): Promise<{ token: string; user: { email: string } }> {
  const { hostname } = await import('node:os')
  const start = await client.startDeviceLogin({ clientName: `Adjoin CLI on ${hostname()}`.slice(0, 100) })
  const bold = (text: string) => paint('bold', text, process.stderr)
  note`\nOpen ${bold(start.verificationUriComplete)} and check that it shows this code:\n\n    ${bold(start.userCode)}\n\n`
  if (browser && process.stdout.isTTY) openBrowser(start.verificationUriComplete)
  note`Waiting for your approval …\n`
  for (let interval = start.interval; ; ) {
    await sleep(interval * 1000)
    try {
      const { token, user } = await client.pollDeviceLogin({ deviceCode: start.deviceCode })
      return { token: token!, user }
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      if (error.code === 'device_slow_down') interval += 5
      else if (error.code !== 'device_pending') throw new CommandFailure(EXIT.auth, error.message)
    }
  }
}

/** Whoever belongs to one organization need not say which. */
async function rememberOnlyOrganization(client: Client, saved: Saved): Promise<void> {
  if (saved.context.org) return
  const { organizations } = await client.listOrganizations()
  if (organizations.length === 1) saved.save({ org: organizations[0]!.slug })
}

function ignoreEnded(error: unknown): void {
  if (!(error instanceof ProblemError) || error.status !== 401) throw error
}
