import type { Parts } from '../../call.ts'
import { gatewayOf } from '../../gateway/describe.ts'
import { descriptor } from '../../providers/index.ts'
import type { Provider } from '../../providers/provider.ts'

/** What the world may know of an ad system: how it is connected, and how it is called. */
export const describeProvider = ({ vendorSessions }: Parts, provider: Provider) => ({
  ...descriptor(provider, vendorSessions.available(provider)),
  gateway: gatewayOf(provider.id),
})
