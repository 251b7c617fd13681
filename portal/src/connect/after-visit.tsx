import { type ReactNode, useState } from 'react'
import { client } from './client.ts'
import { Waiting } from './frame.tsx'
import { ItemResult } from './item-result.tsx'
import { ChooseAccount } from './lazy-choose.tsx'
import type { RequestedItem } from './link.ts'
import { useRead } from './use-read.ts'

type AfterVisitProps = {
  result: string
  items: RequestedItem[]
  refresh: () => void
  /** The list, with how the attempt ended; held while more is offered here. */
  children: (held: boolean, ended: ReactNode) => ReactNode
}

/** Back from an attempt: the account, where it must still be chosen, then the list. */
export function AfterVisit({ result, items, refresh, children }: AfterVisitProps) {
  const { data, error, again } = useRead(() => client.getConnectResult({ result }))
  const [left, setLeft] = useState(false)
  const [held, hold] = useState(false)
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
  return children(held, data && <ItemResult result={result} data={data} items={items} onOffer={() => hold(true)} />)
}
