import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { Button } from '../design/button.tsx'
import { CopyButton } from '../design/copy-button.tsx'
import { Notice } from '../design/notice.tsx'
import { Time } from '../design/time.tsx'
import { turnOf } from '../integration-words.ts'
import { may } from '../may.ts'
import { stepOf } from '../overview.ts'
import { IssueLink } from './connect-link.tsx'
import type { IntegrationProps } from './use-integration.ts'

/** Access that ends sooner is worth a word before it does. */
const SOON = 14 * 86_400_000

/** What is wrong or waited for, and the one step that helps. Nothing is said about what works. */
export function IntegrationState(props: IntegrationProps) {
  const { status, statusDetail, mustAct, lastError, lastErrorAt, connectedAt, providerName, authMethod, health } = props.integration
  const { connectLink, connectRequestId } = props.integration
  const turn = turnOf(props.integration)
  if (status === 'disabled')
    return (
      <Notice
        title="Disabled"
        detail="We don’t check or renew this connection, and its connect link doesn’t work. Click Enable to use it again."
      />
    )
  const ends = health.grantEndsAt && Date.parse(health.grantEndsAt) < Date.now() + SOON ? health.grantEndsAt : null
  return (
    <>
      {authMethod === null && (
        <Notice
          tone="warn"
          title={`${providerName} is no longer supported`}
          detail="You can keep or delete this integration, but not connect it."
        />
      )}
      {status === 'error' && (
        <Notice tone="bad" title={turn ?? 'Not working'} detail={statusDetail}>
          <Mend {...props} />
        </Notice>
      )}
      {lastError && (
        <Notice
          tone="warn"
          title={connectedAt ? 'The last check didn’t go through' : 'The last attempt to connect didn’t go through'}
          detail={
            <>
              {lastError} {lastErrorAt && <Time at={lastErrorAt} className="text-faint" />}
            </>
          }
        />
      )}
      {status === 'pending' && !lastError && (
        <Notice
          title={turn ?? 'Not connected yet'}
          detail={
            connectRequestId && !(connectLink && !connectLink.expired)
              ? 'This integration is part of a connect request to your client. This page updates automatically when they connect.'
              : mustAct === 'client'
                ? 'Send your client the connect link below. This page updates automatically when they connect.'
                : 'Your client needs a connect link. Create one below and send it to them.'
          }
        />
      )}
      {status === 'active' && ends && (
        <Notice
          tone="warn"
          title="Access expires soon"
          detail={
            <>
              Your client’s permission expires <Time at={ends} />
              {health.grantEnd === 'estimated' && ', as far as we can tell'}. Send them a new link, so that they can reconnect before then.
            </>
          }
        >
          <Renew {...props} />
        </Notice>
      )}
    </>
  )
}

/** What the agency itself must mend is mended in the settings; a link for the client stands right below. */
const Mend = ({ place, integration, standing }: IntegrationProps) =>
  stepOf(integration) === 'open' &&
  integration.mustAct === 'agency' &&
  may('updateIntegration', standing) && (
    <Button asChild size="small">
      <Link to="/organizations/$orgSlug/workspaces/$workspaceSlug/integrations/$id/settings" params={place}>
        Open settings
      </Link>
    </Button>
  )

function Renew({ place, integration, standing, provider }: IntegrationProps): ReactNode {
  const [open, setOpen] = useState(false)
  const { connectLink } = integration
  if (connectLink && !connectLink.expired) return <CopyButton text={connectLink.connectUrl} label="Copy link" />
  if (!may('issueConnectLink', standing) || !provider) return null
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        New link…
      </Button>
      {open && <IssueLink place={place} replaces={false} onClose={() => setOpen(false)} />}
    </>
  )
}
