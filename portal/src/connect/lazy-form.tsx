import { lazy, type ReactNode, Suspense } from 'react'
import { Notice } from '../design/notice.tsx'
import { usePhrases } from '../design/phrases.ts'
import type { CredentialsFormProps } from './credentials-form.tsx'

function NotLoaded({ error }: { error: unknown }) {
  return <Notice tone="bad" {...usePhrases().explain(error)} />
}

const Lazy = lazy<(props: CredentialsFormProps) => ReactNode>(() =>
  import('./credentials-form.tsx').then(
    ({ CredentialsForm }) => ({ default: CredentialsForm }),
    (error) => ({ default: () => <NotLoaded error={error} /> }),
  ),
)

/** Loaded where a form is filled in: most clients sign in at the ad system. */
export const CredentialsForm = (props: CredentialsFormProps) => (
  <Suspense>
    <Lazy {...props} />
  </Suspense>
)
