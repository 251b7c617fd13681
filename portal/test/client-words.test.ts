import { expect, test } from 'vitest'
import { accountLists } from '../../api/src/providers/accounts/index.ts'
import { missingFields } from '../../api/src/providers/fields.ts'
import { providers } from '../../api/src/providers/index.ts'
import type { Provider } from '../../api/src/providers/provider.ts'
import { type ReasonCode, reasons, whoMustAct } from '../../api/src/providers/reasons.ts'
import { browserLanguage, type Language, languages, localeOf, wordsIn } from '../src/connect/languages.ts'
import { sentenceOf } from '../src/connect/why-not.tsx'
import { words as english } from '../src/connect/words/en.ts'

const others = (Object.keys(languages) as Language[]).filter((language) => language !== 'en')

/** Every sentence by its name, with what it was given in brackets. */
function sentences(value: unknown, name = ''): [string, string][] {
  if (typeof value === 'string') return [[name, value]]
  if (typeof value === 'function') {
    const count = /^renew\.(title|button|done|not)$/.test(name)
    return [[name, value(...(count || name === 'request.progress' ? [3, 7] : ['[0]', '[1]', '[2]']))]]
  }
  return Object.entries(value as object).flatMap(([key, inner]) => sentences(inner, name ? `${name}.${key}` : key))
}

/** Words that a language shares with English. */
const SHARED = /^(Optional|Account|\[0\] \(optional\)|\[0\] \(\[1\]\))$/

test.each(others)('%s says everything in its own words, about the same people and things', async (language) => {
  const spoken = Object.fromEntries(sentences(await wordsIn(language)))
  for (const [name, sentence] of sentences(english)) {
    const said = spoken[name]!
    expect(said, name).not.toBe(SHARED.test(sentence) ? undefined : sentence)
    const given = (text: string) => [...new Set(text.match(/\[\d\]|\b[37]\b/g) ?? [])].sort()
    // A permission or a reason may name whom to ask where another does not; nobody may be left out.
    expect(given(said), `${name}: ${said}`).toEqual(given(sentence))
    expect(said, name).toBe(said.trim())
    expect(said, name).not.toMatch(/ {2}|'|\.\.\.|undefined/)
  }
})

test('every reason has a sentence for the client that blames nobody and says what to do', () => {
  for (const reason of Object.keys(reasons) as ReasonCode[]) {
    expect(Object.keys(english.reasons)).toContain(reason)
    const words = sentenceOf({ reason, mustAct: whoMustAct(reason) }, english)('Example', 'Northwind')
    expect(words, reason).not.toMatch(/client|agency|operator|[Ss]etting/)
    if (reason !== 'wrong_account') expect(words, reason).toMatch(/[Cc]onnect |[Tt]ry again|[Ss]tart again|ask Northwind/)
  }
  const unknown = (mustAct: 'agency' | 'operator' | null) =>
    sentenceOf({ reason: 'made_up_later', mustAct }, english)('Example', 'Northwind')
  expect([unknown('agency'), unknown('operator'), unknown(null)].map((said) => said.slice(0, 30))).toEqual([
    'This connection is not fully s',
    'We can’t connect Example right',
    'Example did not confirm access',
  ])
})

const needsSetting = (id: Provider['id']) => missingFields(providers.find((each) => each.id === id)!.settingsFields, {}).length > 0

test('the help of every field that a client fills in is the ad system’s, in all languages', () => {
  // Where accounts can be listed, no setting is typed.
  const typed = ({ id, settingsFields }: Provider) =>
    accountLists[id] ? [] : settingsFields.filter(({ required }) => required && needsSetting(id))
  const asked = providers.flatMap((provider) =>
    [...provider.connectFields, ...typed(provider)].map(({ name, help }) => [`${provider.id}.${name}`, help] as const),
  )
  expect(Object.entries(english.help).sort()).toEqual(asked.filter(([, help]) => help).sort())
})

test('the first language of the browser that we speak is spoken, dates as at home', () => {
  expect(browserLanguage(['sv-SE', 'de-AT', 'en'])).toBe('de')
  expect(browserLanguage(['sv', 'fi'])).toBe('en')
  expect([localeOf('de', ['sv', 'de-AT']), localeOf('ja', ['en-GB'])]).toEqual(['de-AT', 'ja'])
})

test('what is counted takes the form of its number', async () => {
  const { renew } = await wordsIn('pl')
  expect([1, 3, 5].map(renew.button)).toEqual(['Odnów 1 połączenie', 'Odnów 3 połączenia', 'Odnów 5 połączeń'])
})

test('a client is told what the agency’s software can do', () => {
  const { software } = english
  expect(software.read('Northwind')).toBe('Northwind’s software can read reports and settings. It can’t change anything.')
  expect(software.off('Engines')).toBe('Engines’ software can’t use this connection.')
})
