import type { Fence } from './fence.ts'

/** The network code is in every path and in every resource name. */
export const googleAdManagerFence: Fence = {
  kinds: ['network'],
  id: /^[0-9]{1,19}$/,
  locate: [
    { in: 'path', at: ['/v1/networks/{account}/*', '/v1/networks/{account}'] },
    { in: 'body', scan: /^\s*networks\/([^/]+)(?:\/|$)/, role: 'extra' },
    { in: 'query', scan: /networks\/([0-9]+)/, role: 'extra' },
  ],
  blind: `
    GET /v1/networks
  `,
}
