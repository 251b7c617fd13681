import { Button } from '../design/button.tsx'
import { Notice } from '../design/notice.tsx'
import { AccessAsked } from './access-asked.tsx'
import { client } from './client.ts'
import { ConsentButton } from './consent-button.tsx'
import { CredentialsForm } from './credentials-form.tsx'
import { Frame } from './frame.tsx'
import type { RequestedItem } from './link.ts'
import { useSpeech } from './speech.tsx'
import { WhyNot } from './why-not.tsx'

type ItemPageProps = { token: string; item: RequestedItem; organization: string; onConnected: (result: string) => void }

/** One item of the list: what exactly is asked for, and the way to give it. */
export function ItemPage({ token, item, organization, onConnected }: ItemPageProps) {
  const { words } = useSpeech()
  const { provider, expectedAccount } = item
  const system = provider.providerName
  const at = { token, itemId: item.id }
  return (
    <Frame title={words.ask.title(system, organization)} lead={item.name !== system && <p>{item.name}</p>}>
      <p className="mt-3">
        <Button asChild size="small">
          <a href="#list">{words.page.list}</a>
        </Button>
      </p>
      <AccessAsked asked={item} organization={organization}>
        {(item.status === 'failed' || item.reconnects) && item.reason !== null && (
          <div className="mb-5">
            <Notice
              tone="warn"
              title={words.request.failed}
              detail={<WhyNot failure={item} system={system} organization={organization} expectedAccount={expectedAccount} />}
            />
          </div>
        )}
        {provider.authMethod === 'oauth' ? (
          <ConsentButton provider={provider} start={(fields) => client.startConnectItemOAuth(at, fields)} />
        ) : (
          <CredentialsForm
            provider={provider}
            organization={organization}
            expectedAccount={expectedAccount}
            submit={(fields) => client.submitConnectItemCredentials(at, fields)}
            isKept={() => isConnected(token, item.id)}
            onConnected={({ result }) => onConnected(result)}
          />
        )}
      </AccessAsked>
    </Frame>
  )
}

const isConnected = async (token: string, itemId: string): Promise<boolean> => {
  const { request } = await client.getPublicConnectRequest({ token })
  return request?.items.some(({ id, status }) => id === itemId && (status === 'connected' || status === 'unfinished')) ?? false
}
