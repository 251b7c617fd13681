// Texts that are small to send and dear to read, by their shape and as large as they may be.

/** No turn of the event loop takes more, of processor time: what one caller sends must not hold up the others. */
export const MOST_TURN_MS = 50

const many = (count: number, member: (n: number) => string) => Array.from({ length: Math.max(1, count) }, (_, n) => member(n)).join(',')
const filled = (piece: string, size: number) => piece.repeat(Math.max(1, Math.floor(size / Buffer.byteLength(piece))))
const inside = (piece: string, size: number) =>
  JSON.stringify(piece.repeat(Math.max(1, Math.floor(size / Buffer.byteLength(JSON.stringify(piece).slice(1, -1))))))

/** What long texts are made of: pieces that begin like a match and never end like one, marks that have to be sorted, escapes. */
// biome-ignore format: a table
export const PIECES = [
  'a', ' ', '\t', '.', '-', '@', 'a@', 'a.', 'a-', '1', '0', '/', '//', '/../', ':', '%', '%25', '%2525', '&', '=', 'a=1&', ';', ',', '[', '{', '(', '<', '<a ', "'", '\\',
  '\u0301', '\u0323\u0301', '\u0345\u0301\u0323', 'e\u0301', '\u1100\u1161', '\ufdfa', '\u0958', '😀', '\u200d', '\u202e', '\u{e0041}', 'İ', 'ß', '。', '＠', 'xn--', 'http://', 'https://a.', '127.', '::', '\u0000', '\n', '"', '\\"', '\\u0041', '&amp;', '+', '*', 'act_', 'SELECT ',
]

/** Marks in the wrong order, all of one kind before all of the other: putting them right takes a quadratic time. */
const sorted = (size: number) => `a${filled('\u0301', size / 2)}${filled('\u0323', size / 2)}`

export const longTexts = (size: number): Record<string, string> => ({
  ...Object.fromEntries(PIECES.map((piece) => [`“${encodeURI(piece.toWellFormed())}”`, inside(piece, size)])),
  'marks in the wrong order': JSON.stringify(sorted(size)),
  'escaped characters': `"${filled('\\u0061', size)}"`,
  'halves of characters': `"${filled('\\ud800', size)}"`,
})

/** JSON values that are more than a long text. */
export const wideValues = (size: number): Record<string, string> => ({
  numbers: `[${filled('1,', size)}1]`,
  'long numbers': `[${filled('12345678901234567890,', size)}1]`,
  exponents: `[${filled('1e999,', size)}1]`,
  nulls: `[${filled('null,', size)}1]`,
  'empty texts': `[${filled('"",', size)}""]`,
  'empty lists': `[${filled('[],', size)}[]]`,
  'empty objects': `[${filled('{},', size)}{}]`,
  'one name again and again': `{${filled('"a":1,', size)}"a":1}`,
  'many names': `{${many(size / 10, (n) => `"k${n.toString(36)}":1`)}}`,
  'names of one letter in objects': `[${filled('{"a":1},', size)}{}]`,
  'names of their own in objects': `[${many(size / 14, (n) => `{"k${n.toString(36)}":1}`)}]`,
  'a long name': `{${inside('x', size)}:1}`,
  'a name of marks': `{${JSON.stringify(sorted(size))}:1}`,
  'a long name around many': `{${inside('x', size / 2)}:{${many(size / 20, (n) => `"k${n.toString(36)}":1`)}}}`,
  'lists beside lists': `{${many(size / 14, (n) => `"k${n.toString(36)}":[1,2]`)}}`,
  'lists in lists': `${'['.repeat(size / 2)}${']'.repeat(size / 2)}`,
  'objects in objects': `${filled('{"a":', size - size / 6)}1${'}'.repeat(Math.floor((size - size / 6) / 5))}`,
  'lists as deep as may be': `[${many(size / 64, () => `${'['.repeat(30)}${']'.repeat(30)}`)}]`,
  'objects as deep as may be': `[${many(size / 160, () => `${'{"a":'.repeat(25)}1${'}'.repeat(25)}`)}]`,
  'JSON in JSON': JSON.stringify(JSON.stringify(JSON.stringify({ a: filled('[', size / 8) }))),
  'names of Object': `{${many(size / 40, (n) => `"constructor${n}":{"toString":1}`)}}`,
  UUIDs: `[${many(size / 39, (n) => `"7b0c6f5e-8f43-4f0c-9d7e-${n.toString(16).padStart(12, '0')}"`)}]`,
  addresses: `[${many(size / 24, (n) => `"a${n}@b${n}.example"`)}]`,
})

/** Whatever is no JSON, or only begins like it. */
export const brokenTexts = (size: number): Record<string, string> => ({
  brackets: '['.repeat(size),
  braces: filled('{"a":', size),
  'a text without an end': `"${'\\'.repeat(size)}`,
  commas: `[${','.repeat(size)}`,
  blanks: `${' '.repeat(size - 10)}{`,
  digits: '1'.repeat(size),
})
