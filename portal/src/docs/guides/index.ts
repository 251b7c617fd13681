import { agents } from './agents.ts'
import { authentication } from './authentication.ts'
import { connect } from './connect.ts'
import { errors } from './errors.ts'
import { gateway } from './gateway.ts'
import type { Guide } from './guide.ts'
import { idempotency } from './idempotency.ts'
import { introduction } from './introduction.ts'
import { limits } from './limits.ts'
import { pagination } from './pagination.ts'
import { webhooks } from './webhooks.ts'

/** In the order in which one reads them. */
export const guides: readonly Guide[] = [
  introduction,
  authentication,
  connect,
  gateway,
  errors,
  limits,
  idempotency,
  pagination,
  webhooks,
  agents,
]

/** `{server}` alone, and in an f-string of Python, is the service's address. */
export const guideText = ({ text }: Guide, server: string): string => text.replaceAll('{server}', server)
