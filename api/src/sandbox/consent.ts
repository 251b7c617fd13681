/** The consent page of an OAuth twin: plain, without scripts, and plainly not the real thing. */
import { createHash } from 'node:crypto'
import type { Reply } from './twin.ts'

const choices = [
  ['allow', 'Allow'],
  ['partial', 'Allow, but without one permission'],
  ['other', 'Allow, with a different account'],
  ['deny', 'Deny'],
  ['outage', 'Allow, then become unavailable'],
  ['refuse', 'Allow, then revoke access'],
  ['throttle', 'Allow, then ask to slow down'],
  ['slow', 'Allow, then answer after 30 seconds'],
] as const

const style = `:root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;max-width:34rem;margin:0 auto;padding:2rem 1rem}
.mark{border:2px dashed #b45309;border-radius:.5rem;padding:.5rem 1rem}ul.choices{list-style:none;padding:0}
ul.choices a{display:block;margin:.5rem 0;padding:.75rem 1rem;border:1px solid;border-radius:.5rem;text-decoration:none}a:focus-visible{outline:3px solid #2563eb}code{overflow-wrap:anywhere}`
const styleHash = createHash('sha256').update(style).digest('base64')

const escaped = (value: string) => value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

export function consentPage(system: string, scopes: string[], query: URLSearchParams): Reply {
  const link = ([decision, label]: readonly [string, string]) =>
    `<li><a href="?${escaped(new URLSearchParams([...query, ['decision', decision]]).toString())}">${escaped(label)}</a></li>`
  const requested =
    scopes.length > 0 ? `<p>It asks for:</p><ul>${scopes.map((scope) => `<li><code>${escaped(scope)}</code></li>`).join('')}</ul>` : ''
  const body = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>Sandbox: ${escaped(system)}</title><style>${style}</style></head><body><main>
<p class="mark"><strong>Sandbox.</strong> This page stands in for ${escaped(system)}. Nothing here reaches the real system.</p>
<h1>Allow access to ${escaped(system)}?</h1>${requested}<h2>What should happen?</h2><ul class="choices">${choices.map(link).join('')}</ul>
</main></body></html>`
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  }
  return { status: 200, headers, body }
}
