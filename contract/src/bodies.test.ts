import { expect, test } from 'vitest'
import { declaration, operationIds } from './index.ts'

/** No body at all, and all kinds of JSON. */
const ODD = [undefined, null, true, 0, '', 'level', [], [{}], {}, { level: null }]

test.each(operationIds)('%s: whatever the body is, it is read or refused', (id) => {
  const { body } = declaration(id)
  for (const odd of ODD) expect(() => body?.safeParse(odd).error?.issues.map(({ message }) => message)).not.toThrow()
})
