// The portal's files, from memory: small, hashed by name, compressed once.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Parts } from '../call.ts'
import { pathOf } from './edges.ts'
import { type Stored, sendStored, store } from './stored.ts'

export type Pages = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>

const DIST = fileURLToPath(new URL('../../../portal/dist', import.meta.url))
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
}
/** Nothing from outside, nothing inline, no framing. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

function load(): Map<string, Stored> {
  if (!existsSync(DIST)) return new Map()
  const names = readdirSync(DIST, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return new Map(
    names.flatMap((entry) => {
      const path = join(entry.parentPath, entry.name)
      const type = TYPES[extname(entry.name)]
      if (!type) return []
      return [[path.slice(DIST.length).replaceAll('\\', '/'), store(type, readFileSync(path))]]
    }),
  )
}

/**
 * How the portal's pages begin: these are pages to programs as well.
 * Elsewhere only people are shown that there is none.
 */
const PAGES = /^\/(?:$|(?:account|connect|dev|device|docs|error|invitation|organizations|signin|signup)(?:\/|$))/

/** Answers GETs of pages and their files; undefined means that the path is none of ours. */
export function servePages({ config, development: extras }: Parts): Pages {
  let files = load()
  let built = builtAt()
  const development = config.environment !== 'production'

  return async (request, reply) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return undefined
    const path = pathOf(request.url)
    if (path.startsWith('/v1/') || path.includes('//')) return undefined
    if (extras.mailbox && path === '/dev/mailbox.json' && isOwnName(request, config.publicUrl)) {
      const messages = await extras.mailbox()
      return reply
        .type('application/json; charset=utf-8')
        .serializer((text) => text as string)
        .send(JSON.stringify({ messages }))
    }
    if (extras.twins && path.startsWith('/sandbox/')) {
      const { status, headers, body } = extras.twins(request.raw)
      return reply
        .code(status)
        .headers({ ...headers })
        .send(body)
    }
    if (!development && path.startsWith('/dev/')) return undefined
    const page = !files.has(path) && takesPage(request, path)
    // A rebuilt portal shows without a restart.
    if (development && page && built !== builtAt()) {
      built = builtAt()
      files = load()
    }
    const file = files.get(page ? pageOf(path) : path)
    return file && sendFile(file, path, reply)
  }
}

const builtAt = () => ['index.html', 'assets'].map((name) => statSync(join(DIST, name), { throwIfNoEntry: false })?.mtimeMs).join()

/** A browser names HTML; a monitor, a link preview or curl takes whatever there is. */
function takesPage({ headers: { accept = '*/*' } }: FastifyRequest, path: string): boolean {
  if (path.startsWith('/assets/')) return false
  return accept.includes('text/html') || (PAGES.test(path) && !path.endsWith('.json') && /(?:\*|text)\/\*/.test(accept))
}

/** A name that anyone may point at this machine must not read sign-in codes through a developer's browser. */
const isOwnName = (request: FastifyRequest, publicUrl: string) =>
  ['localhost', '127.0.0.1', '[::1]', new URL(publicUrl).hostname].includes(request.headers.host?.replace(/:\d+$/, '') ?? '')

/** The connect page is an entry of its own; every other page is the portal's. */
const pageOf = (path: string) => (path.startsWith('/connect/') ? '/connect.html' : '/index.html')

async function sendFile(file: Stored, path: string, reply: FastifyReply): Promise<FastifyReply> {
  const page = file.type.startsWith('text/html')
  reply.headers({
    'cache-control': page ? 'no-store' : path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
    ...(page && { 'content-security-policy': PAGE_POLICY }),
  })
  return sendStored(reply, file)
}
