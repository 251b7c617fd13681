import { basic } from '../../providers/provider.ts'
import { rules } from './rules.ts'

export const magnite = rules({
  hosts: [{ host: 'api.rubiconproject.com' }, { host: 'dmg.rubiconproject.com' }],
  allow: `
    @api.rubiconproject.com
    /analytics/v1/report
    /analytics/v1/report/
    /analytics/v2/default
  `,
  deny: `
    mint ANY /v1/resources/login
    mint ANY /login*
    mint ANY /auth*
    mint ANY /{area}/login*
    mint ANY /{area}/auth*
    mint ANY /{area}/{version}/login*
    mint ANY /{area}/{version}/auth*
    mint ANY /{area}/{version}/{sub}/login*
    mint ANY /{area}/{version}/{sub}/auth*
  `,
  parameters: `
    query *email* on /analytics/v2/*
    body *email* on /analytics/v2/*
    query *bucket* on /analytics/v2/*
    body *bucket* on /analytics/v2/*
    query *s3* on /analytics/v2/*
    body *s3* on /analytics/v2/*
    query *ftp* on /analytics/v2/*
    body *ftp* on /analytics/v2/*
    query *deliver* on /analytics/v2/*
    body *deliver* on /analytics/v2/*
    query *webhook* on /analytics/v2/*
    body *webhook* on /analytics/v2/*
    query *callback* on /analytics/v2/*
    body *callback* on /analytics/v2/*
    query access_key
    query secret_key
  `,
  reads: '',
  inject: ({ credential: { fields } }) => ({ headers: basic(fields.accessKey ?? '', fields.secretKey ?? '') }),
})
