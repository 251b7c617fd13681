import type { Fence } from './fence.ts'

const API = '/dfareporting/v5'

/** The fence is the user profile, which sees one account or subaccount; single advertisers in it cannot be told apart. */
export const campaignManager360Fence: Fence = {
  kinds: ['profile'],
  id: /^[0-9]{1,19}$/,
  locate: [
    { in: 'path', at: [`${API}/userprofiles/{account}/*`, `${API}/userprofiles/{account}`] },
    { in: 'query', at: ['profileId'], role: 'extra' },
  ],
  blind: `
    GET ${API}/userprofiles
    GET ${API}/reports/{report}/files/{file}
    ANY ${API}/studio/*
  `,
}
