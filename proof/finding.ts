export type Size = 'small' | 'full'

/** Whatever else a proof can be told. */
export interface Options {
  /** What its chances are made from: the same again, with the same seed. */
  readonly seed?: number
  /** How long, where that is not a matter of size: a soak. */
  readonly minutes?: number
}

/** One line: what was tried, what was found, and whether that is right. Without `good` it is progress. */
export interface Finding {
  readonly tried: string
  readonly found: string
  readonly good?: boolean
}
