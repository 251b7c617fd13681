import type { Output } from '@adjoin/contract/operations'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { queryClient } from '../api.ts'
import { toast } from '../design/toast.tsx'
import { type Destination, leaveFor } from '../destination.ts'
import { noteSignedIn } from '../service-state.ts'
import { rememberSession } from '../session.ts'

type SignInOutcome = Partial<Pick<Output<'verifySignIn'>, 'organizationSlug' | 'signUpReason'>> & { signUp?: string | undefined }

const reasons: Record<string, string> = {
  slug_taken: 'its slug has been taken in the meantime',
  domain_taken: 'another organization has claimed your domain in the meantime',
  public_mailbox: 'anyone can get an email address at your domain',
}

/** After signing in: to the organization just created, to where one wanted to go, or home. */
export function useSignedIn(destination?: Destination) {
  const navigate = useNavigate()
  const router = useRouter()
  return async ({ organizationSlug, signUp, signUpReason }: SignInOutcome) => {
    queryClient.clear()
    rememberSession()
    noteSignedIn()
    if (signUp === 'refused')
      toast(`You’re signed in, but the organization was not created: ${reasons[signUpReason ?? ''] ?? 'this is no longer possible'}.`, {
        bad: true,
      })
    if (organizationSlug) return navigate({ to: '/organizations/$orgSlug', params: { orgSlug: organizationSlug }, replace: true })
    if (!destination) return navigate({ to: '/', replace: true })
    return 'path' in destination ? router.history.replace(destination.path) : leaveFor(destination, 'replace')
  }
}
