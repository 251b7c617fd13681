/**
 * Characters that nobody sees: they turn the direction of text, make two names out of one that looks the same,
 * or carry words that only a program reads.
 */
const HIDDEN = '[\\p{Default_Ignorable_Code_Point}\\ufff9-\\ufffb]'

// biome-ignore format: a list
const JOINING = [
  'Adlm', 'Arab', 'Bali', 'Beng', 'Deva', 'Gujr', 'Guru', 'Java', 'Khmr', 'Knda', 'Mand', 'Mlym', 'Mong', 'Mymr', 'Nkoo', 'Orya', 'Phag', 'Rohg',
  'Sinh', 'Syrc', 'Taml', 'Telu', 'Tibt',
].map((script) => `\\p{Script_Extensions=${script}}`).join('')

const tags = (letters: string) => [...letters].map((letter) => `\\u{e00${letter.charCodeAt(0).toString(16)}}`).join('')
/** The three flags that are written with tags: England, Scotland and Wales. */
const FLAGS = `\\u{1f3f4}(?:${['gbeng', 'gbsct', 'gbwls'].map(tags).join('|')})\\u{e007f}`

/** Where a script or an emoji needs one. */
const NEEDED = [
  FLAGS,
  `(?<=[${JOINING}])[\\u200c\\u200d]`,
  '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=\\p{Extended_Pictographic})',
  // Digits are emoji too, but only with the frame of a key around them.
  '(?<=\\p{Emoji})(?<![0-9#*])[\\ufe0e\\ufe0f]',
  '(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
  '(?<=\\p{Script=Han})[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]',
  '(?<=\\p{Script=Mong})[\\u180b-\\u180d\\u180f]',
].join('|')

const ANY = new RegExp(HIDDEN, 'u')
const EACH = new RegExp(`(${NEEDED})|${HIDDEN}`, 'gu')

/** The same to the eye; what scripts and emoji need stays. */
export const withoutHidden = (text: string): string => (ANY.test(text) ? text.replace(EACH, (_, needed?: string) => needed ?? '') : text)

/** Nothing in it is hidden. */
export const isVisible = (text: string): boolean => withoutHidden(text) === text
