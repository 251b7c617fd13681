import { type FieldError, type Impact, type Problem, type ProblemCode, problems } from '@adjoin/contract'

export interface RefusalDetails {
  /** Says it more precisely than the table's sentence. */
  detail?: string
  errors?: FieldError[]
  headers?: Record<string, string>
  /** Further members of the problem document. */
  members?: Partial<Problem>
  /** Told of elsewhere, one line for many: under load a line for each would be load itself. */
  unlogged?: boolean
}

/** The one way to say no. It becomes a problem document at the door. */
export class Refusal extends Error {
  readonly code: ProblemCode
  readonly details: RefusalDetails

  constructor(code: ProblemCode, details: RefusalDetails = {}) {
    super(details.detail ?? problems[code][1] ?? code)
    this.name = 'Refusal'
    this.code = code
    this.details = details
  }
}

export function refuse(code: ProblemCode, details?: RefusalDetails): never {
  throw new Refusal(code, details)
}

/** A field that the schema could not judge. */
export const refuseField = (path: string, message: string, code: ProblemCode = 'validation_failed'): never =>
  refuse(code, { errors: [{ path, message }] })

/** Ends a transaction that was made to see what would come of it; the request is answered with `impact`. */
export class Previewed extends Error {
  readonly impact: Impact

  constructor(impact: Impact) {
    super('a preview is not carried out')
    this.impact = impact
  }
}
