import { useSyncExternalStore } from 'react'
import { type CodeLanguage, codeLanguages } from './code/index.ts'

const KEY = 'adjoin.docs-language'
const listeners = new Set<() => void>()

/** Also where the browser keeps nothing: for as long as the page is open. */
let chosen: CodeLanguage | undefined

function current(): CodeLanguage {
  try {
    return chosen ?? codeLanguages.find((one) => one === localStorage.getItem(KEY)) ?? 'curl'
  } catch {
    return chosen ?? 'curl'
  }
}

export function chooseLanguage(language: CodeLanguage): void {
  chosen = language
  try {
    localStorage.setItem(KEY, language)
  } catch {
    // Kept for this visit only.
  }
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The language of every example on every page: chosen once, remembered. */
export const useLanguage = (): CodeLanguage => useSyncExternalStore(subscribe, current)
