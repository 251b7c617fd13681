export type Size = 'small' | 'full'

/** One line: what was tried, what was found, and whether that is as it must be. Without `good` it is progress. */
export interface Finding {
  readonly tried: string
  readonly found: string
  readonly good?: boolean
}
