import { isNamed, isSaid, saysOnly } from '../vendor-request.ts'
import { rules } from './rules.ts'

export const theTradeDesk = rules({
  hosts: [
    { host: 'api.thetradedesk.com', when: ['environment', 'production'] },
    { host: 'ext-api.sb.thetradedesk.com', when: ['environment', 'sandbox'] },
    { host: 'api.dsp.walmart.com', when: ['environment', 'walmart'] },
  ],
  versions: ['3'],
  allow: `
    /v{version}/advertiser
    /v{version}/advertiser/*
    /v{version}/partner/query
    /v{version}/partner/{partner}
    /v{version}/campaign
    /v{version}/campaign/*
    /v{version}/adgroup
    /v{version}/adgroup/*
    /v{version}/creative
    /v{version}/creative/*
    /v{version}/audience
    /v{version}/audience/*
    /v{version}/audiences/{account}
    /v{version}/campaignflight
    /v{version}/campaignflight/*
    /v{version}/datagroup
    /v{version}/datagroup/*
    /v{version}/sitelist
    /v{version}/sitelist/*
    /v{version}/bidlist
    /v{version}/bidlist/*
    /v{version}/bidline/query/{by}
    /v{version}/trackingtag
    /v{version}/trackingtag/*
    /v{version}/iptargetinglist
    /v{version}/iptargetinglist/*
    /v{version}/dmp/firstparty/advertiser
    /v{version}/dmp/thirdparty/advertiser
    /v{version}/dmp/thirdparty/facets/{account}
    /v{version}/myreports/reportexecution/*
    /v{version}/myreports/reportschedule
    /v{version}/myreports/reportschedule/*
    /v{version}/myreports/reporttemplateheader/query
    /v{version}/hdreports
    /v{version}/category*
    /v{version}/country*
    /v{version}/currency*
    /v{version}/timezone*
    /v{version}/language*
    /v{version}/geosegment/query/*
  `,
  deny: `
    mint ANY /v{version}/authentication*
    mint ANY /v{version}/accesstoken*
    mint ANY /v{version}/apitoken*
    grant ANY /v{version}/user*
    grant ANY /v{version}/usergroup*
    tunnel ANY /workflows*
    tunnel ANY /graphql*
    grant POST /v{version}/ecommerce/permission
    personal ANY /v{version}/crmdata*
    tunnel POST /workflows/*
    tunnel POST /workflows/restrequest
    tunnel POST /workflows/graphqlbulkqueryjob
  `,
  parameters: `
    body *email* on /v{version}/myreports/reportschedule*
    body *ftp* on /v{version}/myreports/reportschedule*
    body *deliver* on /v{version}/myreports/reportschedule*
    body *s3* on /v{version}/myreports/reportschedule*
    body Login
    body Password
  `,
  reads: `
    POST /v3/{object}/query/{by}
    POST /v3/{object}/query
    POST /v3/myreports/{object}/query
    POST /v3/myreports/{object}/query/{by}
    POST /v3/dmp/firstparty/advertiser
    POST /v3/dmp/thirdparty/advertiser
  `,
  readsWhen: [
    {
      row: 'POST /v3/myreports/reportschedule',
      when: (request) =>
        isSaid(request, 'ReportFrequency') &&
        saysOnly(request, 'ReportFrequency', 'Once') &&
        !isNamed(request.body, /email|ftp|deliver|s3/i),
    },
  ],
  inject: ({ credential: { fields } }) => ({ headers: { 'TTD-Auth': fields.apiToken ?? '' } }),
})
