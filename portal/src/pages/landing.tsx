import { Link } from '@tanstack/react-router'
import { Button } from '../design/button.tsx'
import { Icon, type IconName } from '../design/icons.tsx'
import { Logo } from '../design/logo.tsx'
import { ThemeMenu } from '../shell/theme-menu.tsx'

const points: [IconName, string, string][] = [
  ['layers', 'One place for every client', 'Each client gets a separate workspace, with its own people, keys and connections.'],
  [
    'shield',
    'No passwords by email',
    'Clients connect their own accounts through a link. What they enter is encrypted and never shown again.',
  ],
  ['list', 'Every change on record', 'Who did what, when and from where, in an audit trail that can’t be changed without a trace.'],
]

/** What this is, in three sentences, and the two ways in. */
export const Landing = () => (
  <div className="mx-auto grid min-h-dvh max-w-5xl grid-rows-[auto_1fr_auto] px-4 sm:px-6">
    <title>Adjoin · connect every ad system</title>
    <header className="flex items-center justify-between py-4">
      <Logo />
      <div className="flex items-center gap-1">
        <ThemeMenu />
        <Button asChild look="quiet">
          <Link to="/docs">Docs</Link>
        </Button>
        <Button asChild look="quiet">
          <Link to="/signin">Sign in</Link>
        </Button>
      </div>
    </header>
    <main className="grid content-center gap-14 py-12">
      <div className="grid max-w-2xl gap-5">
        <h1 className="font-semibold text-display tracking-tight">Connect every ad system.</h1>
        <p className="text-large text-soft">
          Adjoin connects your agency to your clients’ advertising systems, keeps the connections working, and gives your software one API
          for all of them.
        </p>
        <div className="flex flex-wrap gap-3">
          <Button asChild look="primary">
            <Link to="/signup">Create an organization</Link>
          </Button>
          <Button asChild>
            <Link to="/signin">Sign in</Link>
          </Button>
        </div>
      </div>
      <ul className="grid gap-x-8 gap-y-7 border-line border-t pt-8 sm:grid-cols-3">
        {points.map(([icon, title, text]) => (
          <li key={title} className="grid content-start gap-1.5">
            <Icon name={icon} className="mb-1 size-5 text-accent" />
            <h2 className="font-semibold">{title}</h2>
            <p className="text-soft">{text}</p>
          </li>
        ))}
      </ul>
    </main>
    <footer className="flex flex-wrap gap-x-5 gap-y-2 whitespace-nowrap py-6 text-faint text-small">
      <Link to="/docs" className="link">
        Documentation
      </Link>
      <Link to="/docs/reference" className="link">
        API reference
      </Link>
      <a href="/openapi.json" className="link">
        OpenAPI document
      </a>
      <a href="/health" className="link">
        Status
      </a>
    </footer>
  </div>
)
