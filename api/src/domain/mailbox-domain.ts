import { createRequire } from 'node:module'
import { disposableEmailBlocklistSet } from 'disposable-email-domains-js'

/** Two maintained lists, as data: providers of mailboxes to the public, and throw-away addresses. */
const common: string[] = createRequire(import.meta.url)('email-providers/all.json')
const publicDomains = new Set(common)
const disposable = disposableEmailBlocklistSet()

/** Does anybody get a mailbox there? `post.gmail.com` counts as `gmail.com`: what is above it decides. */
export function isPublicMailbox(domain: string): boolean {
  const labels = domain.split('.')
  return labels.slice(0, -1).some((_, at) => {
    const suffix = labels.slice(at).join('.')
    return publicDomains.has(suffix) || disposable.has(suffix)
  })
}
