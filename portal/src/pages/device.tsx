import type { Output } from '@adjoin/contract/operations'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { client, read, useChange } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Card, Facts } from '../design/card.tsx'
import { TextField } from '../design/field.tsx'
import { Form } from '../design/form.tsx'
import { Loaded } from '../design/loaded.tsx'
import { Notice } from '../design/notice.tsx'
import { Time } from '../design/time.tsx'
import { browserOf } from '../format.ts'
import { explain } from '../problem.ts'
import { useMe } from '../shell/organization-frame.tsx'
import { LonePage } from '../shell/shell.tsx'

/** Someone at a command line asks to sign in as me. */
export function Device() {
  const { code } = useSearch({ from: '/signed-in/device' })
  return (
    <LonePage title="Sign in a device" lead="A command line or script wants to sign in as you.">
      {code ? <Request key={code} code={code} /> : <AskCode />}
    </LonePage>
  )
}

function AskCode() {
  const navigate = useNavigate()
  return (
    <Card title="Enter the code">
      <Form<{ code: string }> onSubmit={({ code }) => void navigate({ to: '/device', search: { code } })} className="grid max-w-xs gap-4">
        <TextField
          name="code"
          label="Code"
          help="Shown on the device."
          required
          maxLength={16}
          autoCapitalize="characters"
          autoComplete="off"
          className="font-mono uppercase"
        />
        <div>
          <Button type="submit" look="primary">
            Continue
          </Button>
        </div>
      </Form>
    </Card>
  )
}

const headings: Record<Output<'getDeviceLogin'>['status'], string> = {
  pending: 'Allow this device to sign in as you?',
  approved: 'You allowed this device to sign in as you',
  denied: 'You did not allow this device to sign in',
}

function Request({ code }: { code: string }) {
  const me = useMe()
  const navigate = useNavigate()
  const request = useQuery(read('getDeviceLogin', { userCode: code }))
  const approve = useChange(() => client.approveDeviceLogin({ userCode: code }))
  const deny = useChange(() => client.denyDeviceLogin({ userCode: code }))
  const error = approve.error ?? deny.error
  if (request.error && 'status' in request.error && request.error.status === 404)
    return (
      <Notice
        tone="warn"
        title="This code is wrong or has expired"
        detail="Codes expire after 15 minutes. Start again on the device and use the new code."
      >
        <Button size="small" onClick={() => void navigate({ to: '/device', search: {} })}>
          Enter another code
        </Button>
      </Notice>
    )
  return (
    <Card title={headings[request.data?.status ?? 'pending']}>
      <Loaded query={request}>
        {({ clientName, ip, userAgent, userCode, status, createdAt }) => (
          <div className="grid gap-5">
            <Facts
              facts={[
                [
                  'Code',
                  <span key="code" className="font-mono font-semibold">
                    {userCode}
                  </span>,
                ],
                ['Program', clientName],
                ['Identifies as', browserOf(userAgent)],
                [
                  'IP address',
                  <span key="ip" className="font-mono text-small">
                    {ip ?? 'unknown'}
                  </span>,
                ],
                ['Requested', <Time key="at" at={createdAt} />],
                ['Signs in as', me.email],
              ]}
            />
            {error && <Notice tone="bad" {...explain(error)} />}
            {status === 'approved' ? (
              <Notice
                tone="good"
                title="Approved"
                detail="Go back to the device. It will be signed in within a few seconds, and you can close this page."
              />
            ) : status === 'denied' ? (
              <Notice tone="warn" title="Denied" detail="The device was not signed in." />
            ) : (
              <>
                <Notice
                  tone="warn"
                  title="Approve only if you started this yourself"
                  detail="Check that the device shows the same code. If someone sent you here, deny it: they could act as you."
                />
                <div className="flex flex-wrap gap-2">
                  <Button look="primary" busy={approve.isPending} onClick={() => approve.mutate()}>
                    Approve
                  </Button>
                  <Button busy={deny.isPending} onClick={() => deny.mutate()}>
                    Deny
                  </Button>
                </div>
              </>
            )}
          </div>
        )}
      </Loaded>
    </Card>
  )
}
