/** The forms of the catalogue: what people paste into them, and what they are told. */
import { describe, expect, it } from 'vitest'
import { checkFields } from '../src/providers/fields.ts'
import { findProvider, providers } from '../src/providers/index.ts'
import type { Field, FieldValues, Provider } from '../src/providers/provider.ts'

type Form = 'connectFields' | 'settingsFields'

const check = (id: string, form: Form, input: FieldValues) => checkFields((findProvider(id) as Provider)[form], input, { partial: true })

const scope = 'https://api.adform.com/scope/buyer.advertisers.readonly'
const uuid = '3f2c8a3e-53d4-4d0c-9a35-6a8f0f4f4b77'

// biome-ignore format: a table
const tidied: [id: string, form: Form, pasted: FieldValues, taken: FieldValues][] = [
  ['google_ads',     'settingsFields', { customerId: ' 123-456-7890' },                                { customerId: '1234567890' }],
  ['meta_ads',       'settingsFields', { adAccountId: 'act_1234567890' },                              { adAccountId: '1234567890' }],
  ['linkedin_ads',   'settingsFields', { adAccountId: ' urn:li:sponsoredAccount:512345678' },          { adAccountId: '512345678' }],
  ['snapchat_ads',   'settingsFields', { adAccountId: ` ${uuid.toUpperCase()} ` },                     { adAccountId: uuid }],
  ['reddit_ads',     'settingsFields', { adAccountId: ' t2_abc123\n' },                                { adAccountId: 't2_abc123' }],
  ['the_trade_desk', 'connectFields',  { apiToken: ' FAKEtoken+/=\n' },                                { apiToken: 'FAKEtoken+/=' }],
  ['criteo',         'connectFields',  { clientId: ' id ', clientSecret: '\tfake+secret/=\n' },        { clientId: 'id', clientSecret: 'fake+secret/=' }],
  ['stackadapt',     'connectFields',  { apiKey: 'fake-graphql-key\r\n' },                             { apiKey: 'fake-graphql-key' }],
  ['adform',         'settingsFields', { scopes: `${scope},\n${scope}.x ` },                           { scopes: `${scope} ${scope}.x` }],
  ['adform',         'settingsFields', { advertiserIds: ' 12; 34 ,56 ' },                              { advertiserIds: '12,34,56' }],
  ['magnite',        'connectFields',  { accessKey: ' 0123456789abcdef', secretKey: '0123456789abcdef ' }, { accessKey: '0123456789abcdef', secretKey: '0123456789abcdef' }],
  ['pubmatic',       'connectFields',  { password: ' Passw0rd with blanks ' },                         { password: ' Passw0rd with blanks ' }],
]

// biome-ignore format: a table
const refused: [id: string, form: Form, entered: FieldValues][] = [
  ['google_ads',     'settingsFields', { customerId: 'person@example.com' }],
  ['meta_ads',       'settingsFields', { adAccountId: 'act_me/permissions' }],
  ['microsoft_ads',  'connectFields',  { identityProvider: 'apple' }],
  ['microsoft_ads',  'settingsFields', { accountId: 'F123ABCD' }],
  ['amazon_ads',     'connectFields',  { region: 'advertising-api.evil.example' }],
  ['amazon_ads',     'settingsFields', { entityId: 'A3SELLER' }],
  ['tiktok_ads',     'settingsFields', { advertiserId: '@brand' }],
  ['linkedin_ads',   'settingsFields', { adAccountId: 'urn:li:organization:512345678' }],
  ['pinterest_ads',  'settingsFields', { adAccountId: '1234567890123456789' }],
  ['snapchat_ads',   'settingsFields', { adAccountId: '1234567890' }],
  ['reddit_ads',     'settingsFields', { adAccountId: 'abc123' }],
  ['the_trade_desk', 'settingsFields', { environment: 'https://evil.example' }],
  ['the_trade_desk', 'settingsFields', { partnerId: '../query' }],
  ['display_video_360', 'settingsFields', { partnerId: 'Example Partner' }],
  ['google_ad_manager', 'settingsFields', { networkCode: '/1234/example' }],
  ['campaign_manager_360', 'settingsFields', { profileId: 'person@example.com' }],
  ['criteo',         'settingsFields', { service: 'other' }],
  ['stackadapt',     'connectFields',  { apiKey: 'two keys' }],
  ['adform',         'settingsFields', { scopes: 'https://evil.example/scope/buyer.advertisers.readonly' }],
  ['adform',         'settingsFields', { advertiserIds: '1,2,3,4,5,6,7,8,9,10,11' }],
  ['xandr',          'settingsFields', { memberId: 'Example Member' }],
  ['magnite',        'connectFields',  { accessKey: 'with:colon:inside' }],
  ['pubmatic',       'connectFields',  { password: 'nodigitsnocapitals' }],
  ['freewheel',      'settingsFields', { environment: 'api.freewheel.tv' }],
]

/** The ad systems that have such a field, and no row. */
const without = (rows: readonly (readonly [id: string, ...unknown[]])[], isMeant: (field: Field) => boolean) =>
  providers
    .filter(({ connectFields, settingsFields }) => [...connectFields, ...settingsFields].some(isMeant))
    .flatMap(({ id }) => (rows.some(([of]) => of === id) ? [] : [id]))

describe('the forms of the catalogue', () => {
  it('are all tried', () => {
    const file = 'api/test/provider-forms.test.ts'
    expect(
      without(tidied, ({ tidy }) => Boolean(tidy)),
      `add what people paste at each to \`tidied\` of ${file}`,
    ).toEqual([])
    const mayRefuse = ({ pattern, options }: Field) => Boolean(pattern || options)
    expect(without(refused, mayRefuse), `add a wrong value for each to \`refused\` of ${file}`).toEqual([])
  })

  it.each(tidied)('%s takes what is pasted into its %s', (id, form, pasted, taken) => {
    expect(check(id, form, pasted)).toEqual({ values: taken, problems: null })
  })

  it.each(refused)('%s refuses a wrong value in its %s, and says what to enter', (id, form, entered) => {
    const [name] = Object.keys(entered)
    const field = (findProvider(id) as Provider)[form].find((one) => one.name === name)
    const { problems } = check(id, form, entered)
    expect(problems).toHaveLength(1)
    expect(problems?.[0]).toMatchObject({ path: name, message: expect.stringContaining(field?.help as string) })
  })

  it.each(providers.map((provider) => [provider.id, provider] as const))('%s explains each of its fields', (_id, provider) => {
    for (const { label, help } of [...provider.connectFields, ...provider.settingsFields]) {
      expect(label).toMatch(/^[A-Z]/)
      expect(help, label).toBeTruthy()
    }
  })
})
