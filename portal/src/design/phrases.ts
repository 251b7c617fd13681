import { createContext, type ReactNode, use } from 'react'
import type { CodeFields } from '../problem.ts'

/** The words of the components in this folder, the same on every page. */
export type Phrases = {
  show: string
  hide: string
  showField: (label: string) => string
  optional: (label: string) => string
  choose: string
  fillIn: string
  copy: string
  copied: string
  copyFailed: string
  reference: (id: string) => string
  explain: (error: unknown) => { title: string; detail: string; requestId?: string }
  /** A button that helps with this error, if there is one. */
  nextStep?: (error: unknown) => ReactNode
  fieldErrors: (error: unknown, codes?: CodeFields) => Record<string, string>
}

/** In the language of the page: the portal and the connect pages each provide their own. */
export const PhrasesContext = createContext<Phrases | undefined>(undefined)
export const usePhrases = (): Phrases => use(PhrasesContext)!
