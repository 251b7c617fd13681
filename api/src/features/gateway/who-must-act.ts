import { mustAct } from '../../domain/integration.ts'
import { whoMustAct } from '../../providers/reasons.ts'
import type { IntegrationRow } from '../integrations/integration-row.ts'

const SENTENCES = {
  client: 'Ask the client to open the connect link.',
  agency: 'Correct its settings, then verify it.',
  operator: 'Ask the operator of this service.',
  nobody: 'It is retried automatically.',
}

/** Why an integration cannot be called, and who can change that. */
export function mustActSentence(row: IntegrationRow): string {
  if (row.status !== 'error') return 'This integration has never been connected. Send the client its connect link first.'
  const who = mustAct(row.status, whoMustAct(row.status_reason), row.credential !== null)
  return `This integration is not connected at the moment. ${row.status_detail ?? ''} ${who ? SENTENCES[who] : ''}`.trim()
}
