import { Link } from '@tanstack/react-router'
import { Button } from '../design/button.tsx'
import { Empty } from '../design/empty.tsx'

/** An address within the documentation that names nothing. */
export const Missing = ({ what }: { what: string }) => (
  <div className="card">
    <title>Page not found · Adjoin docs</title>
    <Empty
      icon="search"
      heading="h1"
      title={`No such ${what}`}
      action={
        <Button asChild look="primary">
          <Link to="/docs">Open the documentation</Link>
        </Button>
      }
    >
      It may have been renamed. Press / to search the documentation.
    </Empty>
  </div>
)
