/** Those that only tell who signed in: they are said together. */
const GOOGLE = 'https://www.googleapis.com/auth/userinfo.'
const identity = new Set(['openid', 'email', 'profile', 'public_profile', 'r_basicprofile', `${GOOGLE}email`, `${GOOGLE}profile`])
const silent = new Set(['offline_access'])

/** Each permission in the words of a language; one that we have no words for is shown as the ad system writes it. */
export function permissionsWith(words: Readonly<Record<string, string>> & { identity: string }, scopes: readonly string[]): string[] {
  const said = scopes
    .filter((scope) => !identity.has(scope) && !silent.has(scope))
    .map((scope) => (Object.hasOwn(words, scope) ? words[scope]! : scope))
  return scopes.some((scope) => identity.has(scope)) ? [...said, words.identity] : said
}
