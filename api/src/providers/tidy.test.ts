// What an ad system says is shown to people: without secrets, however they are spelled.
import { expect, it } from 'vitest'
import { bytesOf, signsOf, spellings } from '../../test/spellings.ts'
import { holdsSecret, tidy } from './answer.ts'

const SECRET = 'ya29.a0AfH6SMBx/Tz+9k=Qw~vL'
const onOneLine = (text: string) => text.replace(/\s+/g, ' ')

it.each(Object.entries(spellings))('a secret spelled %s', (_, spell) => {
  const spelled = bytesOf(spell(signsOf(SECRET))).toString()
  const secrets = [SECRET]
  const said = tidy(`No access with ${spelled} today`, secrets)!
  expect(said).toMatch(/^No access with .*•••.* today$/)
  const line = onOneLine(spelled)
  const runs = Array.from({ length: line.length - 15 }, (_, i) => line.slice(i, i + 16))
  expect(runs.filter((run) => said.includes(run))).toEqual([])
  expect(holdsSecret(spelled, secrets)).toBe(true)
})

it('leaves everything else as it is', () => {
  const secrets = new Set([SECRET])
  expect(tidy('No access for ya29 & co: 100 %', secrets)).toBe('No access for ya29 & co: 100 %')
  secrets.add('another-secret-text')
  expect(tidy('No access with another-secret-text', secrets)).toBe('No access with •••')
})
