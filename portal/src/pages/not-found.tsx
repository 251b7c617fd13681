import { Link } from '@tanstack/react-router'
import { Button } from '../design/button.tsx'
import { PlainPage } from '../shell/plain-page.tsx'

export const NotFound = () => (
  <PlainPage title="Page not found" lead="The address may be mistyped, or the page was moved or deleted.">
    <Button asChild look="primary" className="w-full">
      <Link to="/">Go to the start page</Link>
    </Button>
  </PlainPage>
)
