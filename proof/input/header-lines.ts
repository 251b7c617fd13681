// Headers that lie, come twice, are too long, or frame a body two ways at once.
import type { Draft } from './draft.ts'
import type { Random } from './random.ts'
import { HOST, INJECTED } from './texts.ts'

type HeaderLine = [string, string]
const without = (draft: Draft, name: string) => {
  draft.lines = draft.lines.filter(([one]) => one.toLowerCase() !== name)
}
const pathOf = ({ operation, params }: Draft) => operation.path.replace(/\{(\w+)\}/g, (_, name: string) => params[name]!)

const HOSTS = [
  HOST,
  `${HOST}:80`,
  `127.0.0.1@${HOST}`,
  `127.0.0.1, ${HOST}`,
  `127.0.0.1:99999`,
  `[::1`,
  'a b',
  '',
  '/',
  `\u00e9.${HOST}`,
  `${HOST}#`,
  '.',
  '127.0.0.1.',
]
const FORWARDED: HeaderLine[] = [
  ['X-Forwarded-Host', HOST],
  ['X-Forwarded-Proto', 'javascript'],
  ['X-Forwarded-For', `${HOST}, 1.2.3.4`],
  ['X-Forwarded-For', '::1%lo, ,,'],
  ['X-Forwarded-For', '1'.repeat(4000)],
  ['X-Forwarded-Port', '-1'],
  ['X-Forwarded-Prefix', `//${HOST}`],
  ['Forwarded', `for="[::1]";host=${HOST};proto=https`],
  ['X-Original-URL', '/v1/me'],
  ['X-Rewrite-URL', '/v1/me'],
  ['X-Host', HOST],
  ['X-Real-IP', '\u00ff'],
]

export const hostLines: readonly ((draft: Draft, random: Random) => void)[] = [
  (draft, random) => {
    without(draft, 'host')
    draft.lines.unshift(['Host', random.pick(HOSTS)])
  },
  (draft) => without(draft, 'host'),
  (draft, random) => draft.lines.push(['Host', random.pick(HOSTS)]),
  (draft, random) => draft.lines.push(random.pick(FORWARDED)),
  (draft, random) => draft.lines.push(random.pick(FORWARDED), random.pick(FORWARDED)),
  (draft) => {
    draft.path = `http://${HOST}${pathOf(draft)}`
  },
  (draft, random) => {
    draft.path = random.pick([
      `https://${HOST}`,
      `http://${HOST}:80@127.0.0.1/`,
      `//${HOST}${pathOf(draft)}`,
      `ftp://${HOST}/`,
      `${HOST}:443`,
      'http://',
      `http:/${HOST}/`,
      `HTTP://${HOST}/v1/me`,
    ])
  },
]

export const headerLines: readonly ((draft: Draft) => HeaderLine[])[] = [
  (draft) => draft.lines.filter(([name]) => name !== 'Host'),
  () => [
    ['Authorization', 'Bearer'],
    ['Authorization', 'Bearer x'],
  ],
  () => [['Authorization', 'Basic YTpi']],
  () => [['Authorization', 'Bearer a b c']],
  () => [['Authorization', `Bearer ${'x'.repeat(9000)}`]],
  () => [['Authorization', 'Bearer \u00e9\u00ff']],
  () => [
    ['X-Api-Key', 'adj_'],
    ['X-Api-Key', 'adj_'],
  ],
  () => [['X-Api-Key', '']],
  () => [['Cookie', 'adjoin_session=%00; adjoin_session=x; =;;=']],
  () => [['Cookie', `a=${'b'.repeat(9000)}`]],
  () => [['Cookie', '__proto__=1; constructor=2; adjoin_session="x"']],
  ...['', 'é', 'x'.repeat(255), 'x'.repeat(256), 'a b', '"', '\t', 'same-for-all'].map(
    (key) => () => [['Idempotency-Key', key]] as HeaderLine[],
  ),
  () => [
    ['Idempotency-Key', 'a'],
    ['Idempotency-Key', 'b'],
  ],
  ...['*', '"x"', 'W/"x", "y"', '"'].flatMap((tag) => ['If-Match', 'If-None-Match'].map((name) => () => [[name, tag]] as HeaderLine[])),
  () => [
    ['If-Modified-Since', 'yesterday'],
    ['If-Unmodified-Since', 'Thu, 01 Jan 1970 00:00:00 GMT'],
  ],
  () => [
    ['If-Range', '"x"'],
    ['Range', 'bytes=0-,0-,0-,0-'],
  ],
  () => [['Range', 'bytes=99999999999-0']],
  ...['', 'text/html', 'application/xml', '*/*;q=2', 'a'.repeat(2000), '\u00e9'].map((type) => () => [['Accept', type]] as HeaderLine[]),
  () => [['Accept-Encoding', 'gzip;q=x, br;q=1.5, zstd, *;q=0']],
  () => [['Accept-Language', `${'x-'.repeat(2000)}x`]],
  () => [['Accept-Charset', 'utf-7']],
  () => [['Content-Encoding', 'gzip']],
  () => [['Content-Encoding', 'identity, br']],
  ...['text/plain', '', 'application/json; charset=utf-7', 'x'.repeat(4000)].map((type) => () => [['Content-Type', type]] as HeaderLine[]),
  () => [
    ['Content-Type', 'application/json'],
    ['Content-Type', 'text/plain'],
  ],
  ...['null', `https://${HOST}`, 'http://localhost:3000.', 'http://localhost:3000 ', '%00', 'file://'].map(
    (origin) => () => [['Origin', origin]] as HeaderLine[],
  ),
  () => [
    ['Access-Control-Request-Method', 'DELETE'],
    ['Access-Control-Request-Headers', `x-${'y'.repeat(2000)}`],
    ['Origin', `https://${HOST}`],
  ],
  () => [['Sec-Fetch-Site', 'same-origin']],
  () => [
    ['X-HTTP-Method-Override', 'DELETE'],
    ['X-Method-Override', 'DELETE'],
    ['X-HTTP-Method', 'DELETE'],
  ],
  () => [['User-Agent', '\u00ff'.repeat(3000)]],
  () => [['User-Agent', `\u001b[31m$\{jndi:ldap://x}`]],
  () => [
    ['X-Request-Id', `a ${INJECTED}: 1`],
    ['Traceparent', 'x'],
  ],
  () => [['Expect', '200-maybe']],
  () => [
    ['Upgrade', 'h2c'],
    ['HTTP2-Settings', 'AAMAAABkAAQCAAAAAAIAAAAA'],
    ['Connection', 'Upgrade, HTTP2-Settings, close'],
  ],
  () => [
    ['TE', 'trailers'],
    ['Trailer', 'Content-Length'],
  ],
  () => [
    ['Max-Forwards', '-1'],
    ['Via', '1.1 x'.repeat(200)],
  ],
  () => Array.from({ length: 150 }, (_, i): HeaderLine => [`X-${i}`, 'a']),
  () => Array.from({ length: 2500 }, (_, i): HeaderLine => [`X-${i}`, '']),
  () => [['X-Long', 'a'.repeat(17_000)]],
]

const SMUGGLED = 'GET /v1/me HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n'
const frame = (draft: Draft, lines: HeaderLine[], body: string, unfinished = false) => {
  draft.lines.push(...lines)
  draft.body = body
  draft.unfinished = unfinished
}

/** A body whose end two readers would see in two places: one answer at the most, and no second request. */
export const framings: readonly ((draft: Draft) => void)[] = [
  (draft) =>
    frame(
      draft,
      [
        ['Content-Length', '4'],
        ['Transfer-Encoding', 'chunked'],
      ],
      `0\r\n\r\n${SMUGGLED}`,
    ),
  (draft) =>
    frame(
      draft,
      [
        ['Transfer-Encoding', 'chunked'],
        ['Content-Length', '4'],
      ],
      `0\r\n\r\n${SMUGGLED}`,
    ),
  (draft) =>
    frame(
      draft,
      [
        ['Transfer-Encoding', 'chunked'],
        ['Transfer-Encoding', 'identity'],
      ],
      `0\r\n\r\n${SMUGGLED}`,
      true,
    ),
  (draft) => frame(draft, [['Transfer-Encoding', 'xchunked']], `0\r\n\r\n${SMUGGLED}`, true),
  (draft) => frame(draft, [['Transfer-Encoding', '\tchunked']], '0\r\n\r\n', true),
  (draft) => frame(draft, [['Transfer-Encoding ', 'chunked']], '0\r\n\r\n', true),
  (draft) => frame(draft, [['Transfer-Encoding', 'chunked']], '2\r\n{}\r\n0\r\n\r\n'),
  (draft) => frame(draft, [['Transfer-Encoding', 'chunked']], '2;ext=1\r\n{}\r\n0\r\nX-Trailer: 1\r\n\r\n'),
  (draft) => frame(draft, [['Transfer-Encoding', 'chunked']], 'zz\r\n{}\r\n0\r\n\r\n', true),
  (draft) => frame(draft, [['Transfer-Encoding', 'chunked']], 'ffffffffffffffff1\r\n{}', true),
  (draft) => frame(draft, [['Transfer-Encoding', 'chunked']], '-1\r\n{}\r\n', true),
  (draft) => frame(draft, [['Transfer-Encoding', 'chunked']], '2\n{}\n0\n\n', true),
  (draft) =>
    frame(
      draft,
      [
        ['Content-Length', '2'],
        ['Content-Length', '3'],
      ],
      '{} ',
    ),
  (draft) => frame(draft, [['Content-Length', '2, 2']], '{}'),
  (draft) => frame(draft, [['Content-Length', '-1']], '{}'),
  (draft) => frame(draft, [['Content-Length', '+2']], '{}'),
  (draft) => frame(draft, [['Content-Length', '0x2']], '{}'),
  (draft) => frame(draft, [['Content-Length', '99999999999999999999']], '{}'),
  (draft) => frame(draft, [['Content-Length', '70000']], '{}', true),
  (draft) => frame(draft, [['Content-Length', '20']], '{}', true),
  (draft) => frame(draft, [['Content-Length', '2']], `{}${SMUGGLED}`),
  (draft) => frame(draft, [['Content-Length', '']], '{}'),
  (draft) => frame(draft, [['X-Folded', `a\r\n b\r\n\t${INJECTED}: 1`]], ''),
  (draft) => frame(draft, [['X Bad', '1']], ''),
  (draft) => frame(draft, [[': empty', '1']], ''),
  (draft) => frame(draft, [['X-Nul', 'a\0b']], ''),
  (draft) => frame(draft, [['X-Bare', 'a\rb']], ''),
  (draft) =>
    frame(
      draft,
      [
        ['Expect', '100-continue'],
        ['Content-Length', '2'],
      ],
      '{}',
    ),
]
