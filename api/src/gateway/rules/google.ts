/** What every API of Google takes besides its own: credentials, another form of the answer, another method. */
export const googleParameters = `
    query $httpMethod
    query access_token
    query oauth_token
    query key
    query callback
    query $.xgafv
    query quotaUser
    query userIp
    query upload_protocol
  `
