import { createClient } from '@adjoin/contract/client'
import type { Output } from '@adjoin/contract/operations'

export const client = createClient()
export type Link = Output<'getConnectLink'>
