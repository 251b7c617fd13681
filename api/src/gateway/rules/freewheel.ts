import { bearer } from '../../providers/provider.ts'
import { rules } from './rules.ts'

export const freewheel = rules({
  hosts: [
    { host: 'api.freewheel.tv', when: ['environment', 'production'] },
    { host: 'api.stg.freewheel.tv', when: ['environment', 'staging'] },
  ],
  allow: `
    /services/v4/sites*
    /services/v4/available_television_networks*
    /services/v3/placements*
    /demand/v1/providers
    /demand/v1/segments
    /demand/v1/deals
    /demand/v1/accounts/{account}/*
    /demand/v1/deals/{deal}
    /demand/v1/ads
  `,
  deny: `
    mint ANY /auth/*
    grant ANY /services/v{version}/users*
    grant ANY /services/v{version}/roles*
    grant ANY /demand/v{version}/accounts/{account}/users*
    grant ANY /demand/v{version}/accounts/{account}/permissions*
    tunnel ANY /services/upload/*
  `,
  parameters: `
    query _method
    body _method
    body password
    body grant_type
  `,
  reads: '',
  inject: ({ credential }) => ({ headers: bearer(credential) }),
})
