/** What every API of Google takes besides its own: credentials, another form of the answer, and another method or headers, which begin with `$` today. */
export const googleParameters = `
    query $* but $alt $fields $prettyPrint
    body $* but $alt $fields $prettyPrint
    parameter httpMethod
    parameter httpHeaders
    query access_token
    query oauth_token
    query bearer_token
    query key
    query callback
    query quotaUser
    query userIp
    query upload_protocol
    query userProject
  `
