import type { Language } from '@adjoin/contract/languages'
import type { Words } from './words/en.ts'

/** As those who speak them call them. */
export const languages: Record<Language, string> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  it: 'Italiano',
  nl: 'Nederlands',
  pt: 'Português',
  pl: 'Polski',
  ja: '日本語',
}
export type { Language }

/** Each is a file of its own: a page loads the one that it speaks. */
const catalogues: Record<Language, () => Promise<{ words: Words }>> = {
  en: () => import('./words/en.ts'),
  de: () => import('./words/de.ts'),
  fr: () => import('./words/fr.ts'),
  es: () => import('./words/es.ts'),
  it: () => import('./words/it.ts'),
  nl: () => import('./words/nl.ts'),
  pt: () => import('./words/pt.ts'),
  pl: () => import('./words/pl.ts'),
  ja: () => import('./words/ja.ts'),
}

export const wordsIn = async (language: Language): Promise<Words> => (await catalogues[language]()).words

const isLanguage = (value: string | null | undefined): value is Language => value != null && Object.hasOwn(languages, value)

const KEY = 'adjoin.language'

/** What was chosen on a page before, on this device. */
export function chosenLanguage(): Language | undefined {
  try {
    const chosen = localStorage.getItem(KEY)
    return isLanguage(chosen) ? chosen : undefined
  } catch {
    return undefined // a browser that keeps nothing
  }
}

export function rememberLanguage(language: Language): void {
  try {
    localStorage.setItem(KEY, language)
  } catch {
    // It is asked for again next time.
  }
}

/** The first language of the browser that we speak. */
export const browserLanguage = (asked: readonly string[] = navigator.languages): Language =>
  asked.map((tag) => tag.toLowerCase().split('-')[0]).find(isLanguage) ?? 'en'

/** With the region that the browser names for it: dates are written as at home. */
export const localeOf = (language: Language, asked: readonly string[] = navigator.languages): string =>
  asked.find((tag) => tag.toLowerCase().split('-')[0] === language) ?? language
