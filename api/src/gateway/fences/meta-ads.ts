import type { VendorRequest } from '../vendor-request.ts'
import type { Fence } from './fence.ts'
import { areFieldsInside } from './meta-fields.ts'

const ACCOUNT = /^(?:act_)?([0-9]+)$/
/** Words and places to aim at, the same for everybody. */
const TARGETING =
  /^(?:adinterest|adinterestsuggestion|adinterestvalid|adgeolocation|adgeolocationmeta|adlocale|adcountry|adTargetingCategory|adworkemployer|adworkposition|adeducationschool|adeducationmajor|adradiussuggestion)$/

/** Account edges carry `act_{id}`; any other node is a bare number, whose account only a lookup would tell. */
export const metaAdsFence: Fence = {
  kinds: ['account'],
  id: ACCOUNT,
  forms: true,
  innerJson: true,
  locate: [
    { in: 'path', at: ['/v{v}/act_{account}/*', '/v{v}/act_{account}'] },
    { in: 'query', at: ['ids'], split: ',', value: /^act_([0-9]+)$/ },
    { in: 'query', at: ['id'], value: /^act_([0-9]+)$/, role: 'extra' },
    { in: 'body', at: ['ids'], split: ',', value: /^act_([0-9]+)$/, role: 'extra' },
    {
      in: 'body',
      at: ['**.account_id', '**.ad_account_id', '**.source_account_id', '**.adaccounts'],
      value: ACCOUNT,
      split: ',',
      role: 'extra',
    },
    { in: 'body', scan: /^act_([0-9]+)$/, role: 'extra' },
    { in: 'query', scan: /^act_([0-9]+)$/, role: 'extra' },
  ],
  neutralWhen: [
    {
      row: 'GET /v{v}/search',
      when: ({ query }) => {
        const types = query.filter(([name]) => name === 'type')
        return types.length === 1 && TARGETING.test(types[0]![1])
      },
    },
  ],
  blind: `
    ANY /v{v}/me
    ANY /v{v}/me/*
    ANY /v{v}/{business}/owned_ad_accounts
    ANY /v{v}/{business}/client_ad_accounts
    ANY /v{v}/{business}/business_invoices
  `,
  objects: `
    /v{v}/{id}
    /v{v}/{id}/*
  `,
  remember: [
    {
      kind: 'report_run',
      from: 'POST /v{v}/act_{account}/insights',
      id: ['report_run_id'],
      usedBy: [{ row: 'GET /v{v}/{handle}' }, { row: 'GET /v{v}/{handle}/insights' }],
    },
  ],
  refuses: (request) => hasBrackets(request) || !areFieldsInside(request),
}

/** `copy_from[source_account_id]` is a structure to some readers and a name to others. */
const hasBrackets = ({ query, body }: VendorRequest): boolean =>
  [...query, ...(body.kind === 'form' ? body.parameters : [])].some(([name]) => name.includes('['))
