import { type ReactNode, useEffect, useState } from 'react'
import { client } from './client.ts'
import { WayBack } from './connected.tsx'
import { Waiting } from './frame.tsx'
import { ItemResult } from './item-result.tsx'
import { ChooseAccount } from './lazy-choose.tsx'
import { FillIn } from './lazy-fill-in.tsx'
import type { RequestedItem } from './link.ts'
import { useRead } from './use-read.ts'

type AfterVisitProps = {
  result: string
  items: RequestedItem[]
  complete: boolean
  refresh: () => void
  /** The list, with how the attempt ended, and the way back to the agency. */
  children: (ended: ReactNode, back: ReactNode) => ReactNode
}

/** Back from an attempt, or on with what is missing: the account or the settings, then the list. */
export function AfterVisit({ result, items, complete, refresh, children }: AfterVisitProps) {
  const { data, error, again } = useRead(() => client.getConnectResult({ result }))
  const [left, setLeft] = useState(false)
  const [held, hold] = useState(false)
  const returnUrl = useReturn(result, complete)
  if (!data && error === undefined) return <Waiting />
  const onChosen = () => {
    again()
    refresh()
  }
  if (data?.choosesAccount && !left)
    return (
      <ChooseAccount
        result={result}
        organization={data.organization.name}
        system={data.providerName}
        onChosen={onChosen}
        onSkip={() => setLeft(true)}
      />
    )
  if (data?.missing === 'settings' && !left) return <FillIn result={result} data={data} onDone={onChosen} onSkip={() => setLeft(true)} />
  return children(
    data && <ItemResult result={result} data={data} items={items} onOffer={() => hold(true)} />,
    // Held while more is offered here.
    returnUrl && <WayBack to={returnUrl} held={held} />,
  )
}

/** Handed out once, to the browser in which access was given, when nothing is left to do. */
function useReturn(result: string, complete: boolean): string | undefined {
  const [returnUrl, setReturnUrl] = useState<string>()
  useEffect(() => {
    // Without an answer the page stays as it is: everything is done.
    if (complete)
      client.takeConnectReturn({ result }).then(
        ({ returnUrl }) => returnUrl && setReturnUrl(returnUrl),
        () => undefined,
      )
  }, [result, complete])
  return returnUrl
}
