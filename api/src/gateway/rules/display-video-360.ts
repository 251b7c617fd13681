import { bearer } from '../../providers/provider.ts'
import { isSaid, saysOnly } from '../vendor-request.ts'
import { googleParameters } from './google.ts'
import { rules } from './rules.ts'

export const displayVideo360 = rules({
  hosts: [{ host: 'displayvideo.googleapis.com' }, { host: 'doubleclickbidmanager.googleapis.com' }],
  versions: ['4', '5'],
  allow: `
    @displayvideo.googleapis.com
    /v{version}/partners
    /v{version}/partners/{partner}
    /v{version}/advertisers
    /v{version}/advertisers/{account}
    /v{version}/advertisers/{account}:{verb}
    /v{version}/advertisers/{account}/*
    /v{version}/partners/{partner}/channels*
    /v{version}/partners/{partner}/targetingTypes/*
    /v{version}/partners/{partner}:{verb}
    /v{version}/combinedAudiences*
    /v{version}/customBiddingAlgorithms*
    /v{version}/customLists*
    /v{version}/firstPartyAndPartnerAudiences*
    /v{version}/floodlightGroups/*
    /v{version}/googleAudiences*
    /v{version}/guaranteedOrders*
    /v{version}/inventorySourceGroups*
    /v{version}/inventorySources*
    /v{version}/targetingTypes/*
    /v{version}/sdfdownloadtasks
    /v{version}/sdfdownloadtasks/operations/{operation}
    /v{version}/sdfuploadtasks/operations/{operation}
    /download/*
    @doubleclickbidmanager.googleapis.com
    /v2/queries
    /v2/queries/{query}
    /v2/queries/{query}:run
    /v2/queries/{query}/reports
    /v2/queries/{query}/reports/{report}
  `,
  deny: `
    tunnel ANY /v{version}/customBiddingAlgorithms/{algorithm}:uploadScript
    tunnel ANY /v{version}/customBiddingAlgorithms/{algorithm}:uploadRules
    grant POST /v{version}/users
    grant PATCH /v{version}/users/{user}
    grant DELETE /v{version}/users/{user}
    grant POST /v{version}/users/{user}:bulkEditAssignedUserRoles
    grant ANY /v{version}/inventorySources/{source}:editInventorySourceReadWriteAccessors
    tunnel ANY /batch*
    tunnel ANY /media/*
    tunnel ANY /upload/*
    personal POST /v{version}/firstPartyAndPartnerAudiences
    personal POST /v{version}/firstPartyAndPartnerAudiences/{audience}:editCustomerMatchMembers
  `,
  parameters: `
    body metadata.shareEmailAddress on /v2/queries*
    ${googleParameters}
  `,
  reads: `
    POST /v{version}/targetingTypes/{type}/targetingOptions:search
    POST /v{version}/sdfdownloadtasks
    POST /v2/queries/{query}:run
  `,
  readsWhen: [
    {
      row: 'POST /v2/queries',
      when: (request) =>
        request.body.kind === 'json' &&
        saysOnly(request, 'schedule.frequency', 'ONE_TIME') &&
        !isSaid(request, 'metadata.shareEmailAddress') &&
        saysOnly(request, 'metadata.sendNotification', 'false'),
    },
  ],
  inject: ({ credential }) => ({ headers: bearer(credential) }),
})
