import { Link } from '@tanstack/react-router'
import { Button } from '../design/button.tsx'
import { PlainPage } from '../shell/plain-page.tsx'

export const NotFound = () => (
  <PlainPage title="This page does not exist" lead="The address may be mistyped, or what it named has moved.">
    <Button asChild look="primary" className="w-full">
      <Link to="/">Go to the start page</Link>
    </Button>
  </PlainPage>
)
