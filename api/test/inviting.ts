// Inviting people to an organization, as the invitations' tests do it.
import type { TestOrganization, TestPerson } from './world.ts'

let counter = 0
export const newcomer = () => `newcomer-${++counter}@elsewhere.example`
export const tokenOf = (mail: { text: string }) => /\/invitation#token=([\w-]{43})\b/.exec(mail.text)![1]!
export const hours = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 3_600_000
export const invite = (
  { admin, slug }: TestOrganization,
  email: string,
  role: 'viewer' | 'member' | 'admin' = 'member',
  by: Pick<TestPerson, 'client'> = admin,
) => by.client.createOrganizationInvitation({ orgSlug: slug }, { email, role })
