import { bearer } from '../../providers/provider.ts'
import { rules } from './rules.ts'

export const pubmatic = rules({
  hosts: [{ host: 'api.pubmatic.com' }],
  allow: `
    /v1/analytics/data/publisher/{account}
    /v1/analytics/data/buyer/{account}
    /v1/analytics/data/dsp/{account}
    /v1/analytics/topic/data/{topic}/{day}
    /curateddeals
    /curateddeals/{deal}
  `,
  deny: `
    mint ANY /v{version}/developer-integrations/*
    grant ANY /v{version}/users*
    grant ANY /heimdall/*
    grant ANY /login*
    grant ANY /{area}/login*
    grant ANY /{area}/{sub}/login*
    export POST /v{version}/analytics/*
    export PUT /v{version}/analytics/*
    export PATCH /v{version}/analytics/*
    export DELETE /v{version}/analytics/*
  `,
  parameters: `
    body password
    body userName
    body refreshToken
  `,
  reads: '',
  inject: ({ credential }) => ({ headers: bearer(credential) }),
})
