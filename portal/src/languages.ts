import { type Language, languages } from '@adjoin/contract/languages'

const names = new Intl.DisplayNames('en', { type: 'language' })

/** `German` */
export const languageName = (language: Language): string => names.of(language)!
/** What clients can be addressed in, by name. */
export const clientLanguages = languages.map((language): [Language, string] => [language, languageName(language)])
