import { Button } from '../design/button.tsx'

/** In another tab, so that nothing on this page is lost. */
export const SignInAgain = () => (
  <Button asChild size="small">
    <a href="/signin" target="_blank" rel="noreferrer">
      Sign in again
    </a>
  </Button>
)
