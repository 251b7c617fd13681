import { useQuery } from '@tanstack/react-query'
import { client } from '../api.ts'
import type { OpenApiDocument } from './document.ts'

const description = {
  queryKey: ['getOpenApi'],
  queryFn: async () => (await client.getOpenApi()) as unknown as OpenApiDocument,
  staleTime: Infinity,
}

/** The service's own description: the reference can't say anything else. */
export const useDocument = () => useQuery(description)

/** Where the API is: what the operator calls the service, or where this page came from until that is known. */
export const useServer = (): string => useDocument().data?.servers?.[0]?.url ?? location.origin
