import { type Client, createClient, type Methods } from '@adjoin/contract/client'
import type { Output } from '@adjoin/contract/operations'
import type { OperationId } from '@adjoin/contract/paths'
import { MutationCache, QueryCache, QueryClient, queryOptions, useMutation } from '@tanstack/react-query'
import { noteFailure } from './service-state.ts'

export const client: Client = createClient()

/** What several pages speak of. */
export type WorkspaceParams = { orgSlug: string; workspaceSlug: string }
export type Member = Output<'listOrganizationMembers'>['members'][number]
export type ApiKey = Output<'listApiKeys'>['apiKeys'][number]
export type MintedKey = Output<'createApiKey'>
export type CatalogueProvider = Output<'listProviders'>['providers'][number]
export type IntegrationParams = { orgSlug: string; workspaceSlug: string; id: string }

type ClientArguments<Id extends OperationId> = Parameters<Methods[Id]>
const call = <Id extends OperationId>(id: Id, args: ClientArguments<Id>) =>
  ((client as Methods)[id] as (...args: ClientArguments<Id>) => Promise<Output<Id>>)(...args)

/**
 * A read, kept under its operation id and what was sent:
 * `useSuspenseQuery(read('getOrganization', { orgSlug }))`.
 */
export const read = <Id extends OperationId>(id: Id, ...args: ClientArguments<Id>) =>
  queryOptions({ queryKey: [id, ...args] as const, queryFn: () => call(id, args) })

const REFRESH = 30_000

/** The same, read again from time to time while it is on the page: what others change shows without a reload. */
export const live = <Query extends object>(query: Query) => ({ ...query, refetchInterval: REFRESH })

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noteFailure }),
  mutationCache: new MutationCache({ onError: noteFailure }),
  defaultOptions: {
    // The client itself repeats what is worth repeating. A machine that thinks it is offline finds out by trying.
    queries: { staleTime: 5_000, retry: false, networkMode: 'always' },
    mutations: { retry: false, networkMode: 'always' },
  },
})

/** A change. When it is done, whatever is on the page is read again: it shows what the service holds. */
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
