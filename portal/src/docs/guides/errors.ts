import type { Guide } from './guide.ts'

export const errors: Guide = {
  slug: 'errors',
  title: 'Errors',
  lead: 'Every error is a problem document that says what to do next.',
  text: `
Errors are [RFC 9457](https://www.rfc-editor.org/rfc/rfc9457) problem documents, with the content type \`application/problem+json\`:

\`\`\`json
{
  "type": "about:blank",
  "title": "Validation Failed",
  "status": 400,
  "detail": "Some values are not valid. \`errors\` lists each field and what is wrong with it.",
  "instance": "/v1/organizations/agency/workspaces",
  "code": "validation_failed",
  "requestId": "bde53f2a-08d3-404e-84b1-2efe937dc52d",
  "errors": [{ "path": "name", "message": "must have 1 to 100 characters" }]
}
\`\`\`

| Member | What it is |
|---|---|
| \`code\` | Which error this is. It never changes: branch on it. |
| \`detail\` | What happened and what to do, for people. It may become more precise: don’t parse it. |
| \`errors\` | With \`validation_failed\`: each field that is not valid. |
| \`requestId\` | Also in the header \`X-Request-Id\`. Quote it when you ask for help. |

\`type\` is always \`about:blank\`. The [error catalogue](/docs/errors) has an entry for every code, at \`/docs/errors/\` followed by the code.

## Handle errors

\`\`\`curl
curl --fail-with-body {server}/v1/organizations/agency -H "x-api-key: $ADJOIN_API_KEY"
\`\`\`
\`\`\`cli
adjoin organizations get --org agency || echo "exit code $?"   # 3: not signed in or not allowed, 4: not found, 5: conflict
\`\`\`
\`\`\`ts
import { createClient, ProblemError } from '@adjoin/contract/client'

const client = createClient({ url: '{server}', headers: { 'x-api-key': process.env.ADJOIN_API_KEY! } })
try {
  await client.createWorkspace({ orgSlug: 'agency' }, { name: 'Client A', slug: 'client-a' })
} catch (error) {
  if (!(error instanceof ProblemError)) throw error
  if (error.code === 'slug_taken') console.log('It exists already.')
  else throw error
}
\`\`\`
\`\`\`py
answer = requests.post(
    "{server}/v1/organizations/agency/workspaces",
    headers={"x-api-key": os.environ["ADJOIN_API_KEY"]},
    json={"name": "Client A", "slug": "client-a"},
)
if answer.status_code >= 400:
    problem = answer.json()
    if problem["code"] == "slug_taken":
        print("It exists already.")
    else:
        raise RuntimeError(f"{problem['code']}: {problem.get('detail')} ({problem['requestId']})")
\`\`\`

## What to retry

| Status | Retry? |
|---|---|
| 400, 401, 403, 404, 422 | No. Change the request first. |
| 409 | No, except [\`request_running\`](/docs/errors/request_running) and [\`check_running\`](/docs/errors/check_running): those in a moment. |
| 429, 503 | Yes, after the seconds in \`Retry-After\`. |
| 502, 504 | Reads: yes. Changes: check first whether the change was made. |
| 500 | With an [Idempotency-Key](/docs/guides/idempotency), yes. |

The TypeScript client does this for 429 and 503, and after a broken connection where that is safe.

## Answers of ad systems

Calls through the [gateway](/docs/guides/gateway) are the one exception: what an ad system answers is passed on as it is. The header
\`Adjoin-Answer\` says who answered: the ad system, or \`adjoin\` where Adjoin itself refused, and then it is a problem document.
`,
}
