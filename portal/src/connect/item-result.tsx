import type { Output } from '@adjoin/contract/operations'
import { Notice } from '../design/notice.tsx'
import { hrefOf, judged } from '../destination.ts'
import { RenewOthers } from './lazy-renew.tsx'
import type { RequestedItem } from './link.ts'
import { useSpeech } from './speech.tsx'
import { WhyNot } from './why-not.tsx'

type ItemResultProps = { result: string; data: Output<'getConnectResult'>; items: RequestedItem[]; onOffer: () => void }

/** How the attempt ended that the client comes back to the list from. */
export function ItemResult({ result, data, items, onOffer }: ItemResultProps) {
  const { words } = useSpeech()
  const { outcome, organization, providerName, connectedAccount, receiptUrl, missing } = data
  if (outcome === 'connected')
    return (
      <>
        <div className="mt-6">
          <Notice
            tone={missing ? 'warn' : 'good'}
            title={missing ? words.connected.almost : words.connected.title}
            detail={
              missing
                ? (missing === 'verification' ? words.connected.settlingLead : words.connected.almostLead)(organization.name, providerName)
                : connectedAccount
                  ? words.connected.leadWith(organization.name, providerName, connectedAccount)
                  : words.connected.lead(organization.name, providerName)
            }
          >
            {receiptUrl && (
              <a href={hrefOf(judged(receiptUrl))} className="link">
                {words.connected.receipt}
              </a>
            )}
          </Notice>
        </div>
        <RenewOthers result={result} onOffer={onOffer} />
      </>
    )
  const expected = items.find(({ provider, status }) => provider.providerName === providerName && status === 'failed')?.expectedAccount
  return (
    <div className="mt-6">
      {outcome === 'canceled' ? (
        <Notice title={words.failed.canceled} detail={words.failed.nothing(organization.name, providerName)} />
      ) : (
        <Notice
          tone="warn"
          title={words.failed.title(providerName)}
          detail={<WhyNot failure={data} system={providerName} organization={organization.name} expectedAccount={expected} />}
        />
      )}
    </div>
  )
}
