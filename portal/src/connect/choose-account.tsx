import type { Output } from '@adjoin/contract/operations'
import { ProblemError } from '@adjoin/contract/problem-error'
import { useEffect, useState } from 'react'
import { Button } from '../design/button.tsx'
import { TextField } from '../design/field.tsx'
import { Notice } from '../design/notice.tsx'
import { usePhrases } from '../design/phrases.ts'
import { Skeleton } from '../design/skeleton.tsx'
import { client } from './client.ts'
import { Frame } from './frame.tsx'
import { useSpeech } from './speech.tsx'
import { sentenceOf } from './why-not.tsx'

type Accounts = Output<'listConnectAccounts'>
type Choice = Output<'chooseConnectAccount'>
export type ChooseAccountProps = {
  result: string
  organization: string
  system: string
  /** Somebody has chosen: this client, or the agency meanwhile. */
  onChosen: () => void
  /** The agency chooses later. */
  onSkip: () => void
}

/** With more than these it is quicker to search than to read. */
const FEW = 8
/** How often, and how many times, it is asked whether the ad system has listed them. */
const LISTING_MS = 1500
const LISTING_TIMES = 15
const TYPING_MS = 300

const isChosen = (error: unknown) => error instanceof ProblemError && error.code === 'account_chosen'

/** Right after the consent: which of the accounts is meant? Where they can't be listed, nobody is kept waiting. */
export function ChooseAccount({ result, organization, system, onChosen, onSkip }: ChooseAccountProps) {
  const { words } = useSpeech()
  const { choose } = words
  const { explain } = usePhrases()
  const [search, setSearch] = useState('')
  const [{ list, many, error }, setRead] = useState<{ list?: Accounts; many?: boolean; error?: unknown }>({})
  const [round, setRound] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked for each round and for what is searched
  useEffect(() => {
    let current = true
    const take = (answer: Accounts) => {
      if (answer.listing) return round < LISTING_TIMES ? setRound(round + 1) : onSkip()
      if (!search && !answer.accounts.length) return onSkip()
      setRead({ list: answer, many: many || answer.more || answer.accounts.length > FEW })
    }
    const timer = setTimeout(
      () =>
        client.listConnectAccounts({ result, ...(search && { search }) }).then(
          (answer) => current && take(answer),
          (problem) => current && (isChosen(problem) ? onChosen() : setRead((last) => ({ ...last, error: problem }))),
        ),
      search || list ? TYPING_MS : round && LISTING_MS,
    )
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [search, round])
  return (
    <Frame title={choose.title} lead={<p>{choose.lead(organization, system)}</p>}>
      <div className="card mt-6 grid gap-4 p-5">
        {error !== undefined && (
          <Notice tone="bad" {...explain(error)}>
            <Button onClick={() => setRound(round + 1)}>{words.page.tryAgain}</Button>
          </Notice>
        )}
        {many && (
          <TextField
            name="search"
            type="search"
            label={choose.search}
            autoComplete="off"
            maxLength={100}
            onChange={({ target }) => setSearch(target.value.trim())}
          />
        )}
        {list ? (
          <Choices {...{ result, organization, system, list, onChosen }} alone={!search} />
        ) : (
          error === undefined && (
            <div className="grid gap-3" role="status">
              <span className="text-soft">{choose.loading(system)}</span>
              <Skeleton className="h-4 w-2/3" />
              <Skeleton className="h-4 w-1/2" />
            </div>
          )
        )}
        <Button look="quiet" onClick={onSkip}>
          {choose.skip(organization)}
        </Button>
      </div>
    </Frame>
  )
}

type ChoicesProps = Omit<ChooseAccountProps, 'onSkip'> & { list: Accounts; alone: boolean }

function Choices({ result, organization, system, list: { accounts, more }, onChosen, alone }: ChoicesProps) {
  const { words } = useSpeech()
  const { choose } = words
  const { explain } = usePhrases()
  const only = alone && accounts.length === 1 ? accounts[0]!.id : undefined
  const [wanted, setWanted] = useState(only)
  const [{ busy = false, failure, error }, setState] = useState<{ busy?: boolean; failure?: Choice; error?: unknown }>({})
  // What is not in sight is not chosen.
  const chosen = accounts.find(({ id }) => id === wanted)?.id
  const go = (accountId: string) => {
    setState({ busy: true })
    client.chooseConnectAccount({ result }, { accountId }).then(
      (answer) => (answer.reason === null ? onChosen() : setState({ failure: answer })),
      (problem) => (isChosen(problem) ? onChosen() : setState({ error: problem })),
    )
  }
  return (
    <>
      {failure && <Notice tone="warn" title={choose.failed} detail={sentenceOf(failure, words)(system, organization)} />}
      {error !== undefined && <Notice tone="bad" {...explain(error)} />}
      {accounts.length > 0 && (
        <fieldset className="grid max-h-80 grid-cols-[minmax(0,1fr)] overflow-y-auto">
          <legend className="sr-only">{choose.title}</legend>
          {accounts.map(({ id, name }) => (
            <label key={id} className="flex items-start gap-2.5 py-1.5">
              <input
                type="radio"
                name="account"
                className="mt-1 size-4 shrink-0 accent-accent"
                checked={id === chosen}
                onChange={() => setWanted(id)}
              />
              <span className="wrap-anywhere min-w-0">
                {name}
                {name !== id && <span className="block text-small text-soft">{id}</span>}
              </span>
            </label>
          ))}
        </fieldset>
      )}
      <p className="text-small text-soft empty:hidden" role="status">
        {accounts.length === 0 ? choose.none : more ? choose.more : null}
      </p>
      <Button look="primary" busy={busy} disabled={chosen === undefined} onClick={() => chosen && go(chosen)}>
        {choose.button}
      </Button>
    </>
  )
}
