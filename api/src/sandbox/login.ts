/** The token endpoint of twins with a credentials form. */
import { json, played, playIn, type Route, type Script, type TwinRequest } from './twin.ts'

/** A form becomes a token that lasts some seconds; words in what was typed script what happens instead. */
export const loginRoute =
  (seconds: number, scripted: Script, typed: (request: TwinRequest) => (string | null)[], more: Record<string, unknown> = {}): Route =>
  (request, issuer) => {
    const values = typed(request)
    if (!values.every(Boolean)) return scripted.refuse()
    return played(playIn(...values), scripted, () => {
      const access_token = issuer.mint('access', { expires: issuer.now() + seconds * 1000 })
      return json(200, { access_token, token_type: 'Bearer', expires_in: seconds, ...more })
    })
  }
