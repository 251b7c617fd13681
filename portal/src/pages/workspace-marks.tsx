import type { Output } from '@adjoin/contract/operations'
import { Badge } from '../design/badge.tsx'
import type { Tone } from '../design/notice.tsx'

type Workspace = Output<'getWorkspace'>

export const RoleBadge = ({ role, access }: Pick<Workspace, 'role' | 'access'>) => (
  <span className="inline-flex flex-wrap items-center gap-1.5">
    <Badge>{role}</Badge>
    {access === 'inherited' && (
      <span className="text-faint text-small" title="This role comes from the organization">
        inherited
      </span>
    )}
  </span>
)

const tones: [keyof Workspace['integrationCounts'], Tone | 'quiet'][] = [
  ['active', 'good'],
  ['error', 'bad'],
  ['pending', 'info'],
  ['disabled', 'quiet'],
]

export function Counts({ counts, none = 'none' }: { counts: Workspace['integrationCounts']; none?: string }) {
  const some = tones.filter(([status]) => counts[status] > 0)
  if (!some.length) return <span className="text-faint">{none}</span>
  return (
    <span className="inline-flex flex-wrap gap-1.5">
      {some.map(([status, tone]) => (
        <Badge key={status} tone={tone}>
          {counts[status]} {status === 'error' ? 'in error' : status}
        </Badge>
      ))}
    </span>
  )
}
