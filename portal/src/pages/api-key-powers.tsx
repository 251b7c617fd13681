import type { OrganizationRole } from '@adjoin/contract/roles'
import { useQuery } from '@tanstack/react-query'
import { type ApiKey, read } from '../api.ts'
import { Card } from '../design/card.tsx'
import { Icon } from '../design/icons.tsx'
import { powersOf } from '../key-words.ts'
import { may } from '../may.ts'
import { useOrganization } from '../shell/organization-frame.tsx'

/** What the key may do in words, from the table that the service enforces. */
export function ApiKeyPowers({ apiKey, mine }: { apiKey: ApiKey; mine: boolean }) {
  const role = useKeyRole(apiKey, mine)
  const where = apiKey.level === 'workspace' ? `In ${apiKey.workspace} only.` : 'In every workspace.'
  if (!role || role === 'guest')
    return (
      <Card title="What it can do">
        <p className="text-soft">
          {role
            ? 'What its owner can do in the workspaces they’re invited to, and nothing else.'
            : 'What its owner can do in this organization.'}
        </p>
      </Card>
    )
  const { can, needsRole, peopleOnly } = powersOf({ level: apiKey.level, role })
  return (
    <Card title="What it can do" note={apiKey.level === 'user' ? `As its owner, who is ${role} here.` : where}>
      <div className="grid gap-x-8 gap-y-5 sm:grid-cols-2">
        <Powers title="Can" words={can} icon="check" look="text-good" />
        <div className="grid content-start gap-5">
          <Powers title="Not allowed with this role" words={needsRole} icon="close" look="text-faint" />
          <Powers title="Only people can do this" words={peopleOnly} icon="person" look="text-faint" />
        </div>
      </div>
    </Card>
  )
}

type PowersProps = { title: string; words: string[]; icon: 'check' | 'close' | 'person'; look: string }

const Powers = ({ title, words, icon, look }: PowersProps) =>
  words.length > 0 && (
    <section className="grid content-start gap-2">
      <h3 className="font-medium text-small">{title}</h3>
      <ul className="grid gap-1.5">
        {words.map((one) => (
          <li key={one} className="flex items-start gap-2">
            <Icon name={icon} className={`mt-[3px] ${look}`} />
            <span className="text-soft">{one}</span>
          </li>
        ))}
      </ul>
    </section>
  )

/** Its own, or its owner's; undefined where one may not know. */
function useKeyRole({ level, role, creatorEmail }: ApiKey, mine: boolean): OrganizationRole | undefined {
  const own = useOrganization()
  const members = useQuery({
    ...read('listOrganizationMembers', { orgSlug: own.slug }),
    enabled: level === 'user' && !mine && may('listOrganizationMembers', { organization: own.role }),
  }).data?.members
  if (level !== 'user') return role ?? undefined
  return mine ? own.role : members?.find(({ email }) => email === creatorEmail)?.role
}
