import type { Phrases } from './design/phrases.ts'
import { explain, fieldErrors } from './problem.ts'
import { refusedSession } from './session.ts'
import { SignInAgain } from './shell/sign-in-again.tsx'

/** The words of the portal's components. */
export const english: Phrases = {
  show: 'Show',
  hide: 'Hide',
  showField: (label) => `Show ${label}`,
  optional: (label) => `${label} (optional)`,
  choose: 'Choose…',
  fillIn: 'Fill in this field.',
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'Couldn’t copy: select the text instead',
  reference: (id) => `Reference for support: ${id}`,
  explain,
  nextStep: (error) => refusedSession(error) && <SignInAgain />,
  fieldErrors,
}
