import { type Client, createClient, ProblemError } from '@adjoin/contract/client'
import type { Output } from '@adjoin/contract/operations'
import type { OperationId } from '@adjoin/contract/paths'
import { QueryCache, QueryClient, queryOptions, useMutation } from '@tanstack/react-query'
import { forgetSession } from './session.ts'

export const client: Client = createClient()

type Sent<Id extends OperationId> = Parameters<Client[Id]>
const call = <Id extends OperationId>(id: Id, args: Sent<Id>) => (client[id] as (...args: Sent<Id>) => Promise<Output<Id>>)(...args)

/** A read, kept under its operation id and what was sent: `useSuspenseQuery(read('getOrganization', { orgSlug }))`. */
export const read = <Id extends OperationId>(id: Id, ...args: Sent<Id>) =>
  queryOptions({ queryKey: [id, ...args] as const, queryFn: () => call(id, args) })

/** Trouble of the service or the network passes; a refusal stays what it is, however often one asks. */
const passes = (error: Error) => !(error instanceof ProblemError) || error.status >= 500

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (error) => error instanceof ProblemError && error.status === 401 && forgetSession() }),
  defaultOptions: {
    queries: { staleTime: 5_000, retry: (count, error) => passes(error) && count < 2 },
    mutations: { retry: false },
  },
})

/** A change. When it is done, whatever is on the page is read again: what one sees is what the service holds. */
export const useChange = <Sent = void, Answer = unknown>(
  send: (sent: Sent) => Promise<Answer>,
  onSuccess?: (answer: Answer, sent: Sent) => unknown,
) =>
  useMutation({
    mutationFn: send,
    onSuccess: async (answer, sent) => {
      await onSuccess?.(answer, sent)
      await queryClient.invalidateQueries()
    },
  })
