// How long the service waits for others before it gives up, and how late it may be itself.
// What concerns the database is in db/timeouts.ts.

/** Milliseconds. */
export interface Waits {
  /** For all that one look at an ad system asks of it, repeats included. */
  vendor: number
  vendorConnect: number
  /** For one answer of an identity provider; a sign-in asks for at most three. */
  identity: number
  /** For a tenant's server to take one event. */
  webhook: number
  webhookConnect: number
  /** For the head of a request to arrive, and for all of it: a body has 64 KiB at most. */
  requestHead: number
  request: number
  /** How late the event loop may be before requests are shed. */
  lag: number
}

export const DEFAULT_WAITS: Waits = {
  vendor: 10_000,
  vendorConnect: 3000,
  identity: 5000,
  webhook: 15_000,
  webhookConnect: 3000,
  requestHead: 5000,
  request: 10_000,
  lag: 500,
}
