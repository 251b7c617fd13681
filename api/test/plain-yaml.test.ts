import { describe, expect, it } from 'vitest'
import { parseYaml } from './plain-yaml.ts'

describe('the reader of our YAML files', () => {
  it('reads maps, lists, scalars, anchors, merges and texts', () => {
    const source = `
# a comment
base: &base
  port: 3000 # behind a value
  names: [a, "b, c", 1.5, true]
other:
  <<: *base
  port: 4000
  address: http://a.example/#not-a-comment
  "quoted key": "no"
list:
  - name: one
    with:
      more: null
  - plain
folded: >-
  a # kept
  b
kept: |
  c
    d
last: *base
empty:
`
    expect(parseYaml(source)).toEqual({
      base: { port: 3000, names: ['a', 'b, c', 1.5, true] },
      other: { port: 4000, names: ['a', 'b, c', 1.5, true], address: 'http://a.example/#not-a-comment', 'quoted key': 'no' },
      list: [{ name: 'one', with: { more: null } }, 'plain'],
      folded: 'a # kept b',
      kept: 'c\n  d',
      last: { port: 3000, names: ['a', 'b, c', 1.5, true] },
      empty: null,
    })
  })

  it.each([
    ['a: 1\na: 2', 'line 2: a stands there twice'],
    ['a: 1\n  b: 2', 'line 2: expected `key: value`'],
    ['a: *gone', '*gone names nothing'],
    ['a: {b: 1}', 'needs quotes'],
    ['a: b: c', 'needs quotes'],
    ['a: [b,\n  c]', 'must end on its line'],
    ['a', 'expected `key: value`'],
  ])('refuses what it does not know instead of guessing: %j', (source, why) => {
    expect(() => parseYaml(source)).toThrow(why)
  })
})
