// Whom to tell of a vulnerability: RFC 9116.
import type { Config } from '../config.ts'

export const SECURITY_TXT = '/.well-known/security.txt'
/** Always in the future, and less than a year ahead, as the RFC recommends. */
const VALID_DAYS = 180

export function securityTxt({ securityContact, publicUrl }: Pick<Config, 'securityContact' | 'publicUrl'>, now: Date): string {
  const expires = new Date(now.getTime() + VALID_DAYS * 86_400_000)
  expires.setUTCHours(0, 0, 0, 0)
  const fields = [
    `Contact: ${securityContact}`,
    `Expires: ${expires.toISOString().replace('.000Z', 'Z')}`,
    'Preferred-Languages: en',
    `Canonical: ${publicUrl}${SECURITY_TXT}`,
  ]
  return `${fields.join('\n')}\n`
}
