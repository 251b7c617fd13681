export { type Access, access, accessOf, type CredentialClass, grantsPower, type Least, type Place } from './access.ts'
export { type IdentityProvider, identityProviders, listedInvitations } from './account.ts'
export { inTreeOrder, type PlacedAccount, settingsFor } from './account-tree.ts'
export { type KeyLevel, type KeyStatus, keyLevels, keyStatuses, LISTED_KEYS } from './api-keys.ts'
export { type AuditKind, auditEvents, type TargetType, takesPower, targetTypes } from './audit-events.ts'
export {
  auditTrail,
  type Client,
  type ClientOptions,
  call,
  createClient,
  ProblemError,
  type ProblemErrorCode,
  type RequestOptions,
  refusalOf,
  type Sent,
  wouldEnd,
} from './client.ts'
export * from './email.ts'
export { type Event, type EventIntegration, isOpenKind, kindsIn, openGroups } from './events.ts'
export type { EventsOptions } from './events-client.ts'
export { line, Text } from './fields.ts'
export { withoutHidden } from './hidden-characters.ts'
export { Impact } from './impact.ts'
export type { IntegrationCalls, IntegrationPlace } from './integration-fetch.ts'
export { type Language, languages } from './languages.ts'
export { atOnce, type Limit, limits, openToAll, quotas, reserved, shares } from './limits.ts'
export * from './operations.ts'
export { nextPage, type Page, type PageRequest, type Paging, pagesFrom } from './paging.ts'
export {
  bodiless,
  isChange,
  isVerbatim,
  type Method,
  type OperationId,
  oneClick,
  paths,
  queried,
  route,
  takesBody,
  takesParams,
} from './paths.ts'
export { type FieldError, Problem, type ProblemCode, type ProblemStatus, problem, problems, statusOf } from './problems.ts'
export * from './providers.ts'
export * from './roles.ts'
export { type ConnectError, connectErrors, type SignInError, signInErrors } from './sign-in-errors.ts'
export { isLoopback, isTrustedOrigin, type Origins, trustedUrl } from './trusted-url.ts'
