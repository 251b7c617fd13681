// The portal's files, from memory: small, hashed by name, compressed once.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Parts } from '../call.ts'
import { pathOf } from './edges.ts'
import { isPage } from './portal-paths.ts'
import { SECURITY_TXT, securityTxt } from './security-txt.ts'
import { type Stored, sendStored, store } from './stored.ts'

export interface Pages {
  /** Undefined: the path is none of ours. */
  answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined>
  /** Something is read there. */
  has(path: string): boolean
}

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

/** Answers GETs of pages and their files. */
export function servePages({ config, development: extras }: Parts): Pages {
  let files = load()
  let built = builtAt()
  const development = config.environment !== 'production'

  const has = (path: string) => path === SECURITY_TXT || (isPage(path) ? development || !isOfDevelopment(path) : isFile(path))
  /** The shells themselves are no address of anything. */
  const isFile = (path: string) => files.has(path) && !path.endsWith('.html')
  const answer: Pages['answer'] = async (request, reply) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return undefined
    const path = pathOf(request.url)
    if (path.startsWith('/v1/') || path.includes('//')) return undefined
    if (path === SECURITY_TXT) return reply.type(TYPES['.txt']!).serializer(String).send(securityTxt(config, new Date()))
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
    const known = has(path)
    const page = !isFile(path) && takesPage(request, path, known)
    // A rebuilt portal shows without a restart.
    if (development && page && built !== builtAt()) {
      built = builtAt()
      files = load()
    }
    const file = page ? files.get(pageOf(path, known)) : isFile(path) ? files.get(path) : undefined
    if (!file) return undefined
    if (page && !known) reply.code(404)
    return sendFile(file, path, reply)
  }
  return { answer, has }
}

const isOfDevelopment = (path: string) => path.startsWith('/dev/')

const builtAt = () => ['index.html', 'assets'].map((name) => statSync(join(DIST, name), { throwIfNoEntry: false })?.mtimeMs).join()

/**
 * A browser names HTML; a monitor, a link preview or curl takes whatever there is. The one answer that is no problem document although
 * nothing is there: a browser that is led to a path of nobody shows the portal's own page for that, with 404.
 */
function takesPage({ headers: { accept = '*/*' } }: FastifyRequest, path: string, known: boolean): boolean {
  if (path.startsWith('/assets/')) return false
  return accept.includes('text/html') || (known && /(?:\*|text)\/\*/.test(accept))
}

/** A name that anyone may point at this machine must not read sign-in codes through a developer's browser. */
const isOwnName = (request: FastifyRequest, publicUrl: string) =>
  ['localhost', '127.0.0.1', '[::1]', new URL(publicUrl).hostname].includes(request.headers.host?.replace(/:\d+$/, '') ?? '')

/** The connect page is an entry of its own; every other page is the portal's. */
const pageOf = (path: string, known: boolean) => (known && path.startsWith('/connect/') ? '/connect.html' : '/index.html')

async function sendFile(file: Stored, path: string, reply: FastifyReply): Promise<FastifyReply> {
  const page = file.type.startsWith('text/html')
  reply.headers({
    'cache-control': page ? 'no-store' : path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
    ...(page && { 'content-security-policy': PAGE_POLICY }),
  })
  return sendStored(reply, file)
}
