import { createContext, type ReactNode, use } from 'react'
import type { CodeFields } from '../problem.ts'

/** What these parts say themselves, whatever page they are on. */
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
  /** A button that leads on, where there is one. */
  wayOn?: (error: unknown) => ReactNode
  fieldErrors: (error: unknown, codes?: CodeFields) => Record<string, string>
}

/** In the language of the page: the portal and the connect pages each bring theirs. */
export const PhrasesContext = createContext<Phrases | undefined>(undefined)
export const usePhrases = (): Phrases => use(PhrasesContext)!
