import { createContext, type ReactNode, use, useEffect, useMemo, useRef, useState } from 'react'
import { PhrasesContext } from '../design/phrases.ts'
import { chosenLanguage, type Language, localeOf, rememberLanguage, wordsIn } from './languages.ts'
import { phrasesIn } from './phrases.ts'
import type { Words } from './words/en.ts'

/** A language as a page speaks it: its sentences, and how it writes dates and numbers. */
export type Speech = {
  language: Language
  words: Words
  date: (iso: string) => string
  moment: (iso: string) => string
  month: (iso: string) => string
  number: (value: number) => string
  /** `in 5 minutes`: to the nearest, never less. */
  inSeconds: (seconds: number) => string
  /** Sentences one after the other. */
  join: (...sentences: string[]) => string
}

export async function speak(language: Language): Promise<Speech> {
  const words = await wordsIn(language)
  const locale = localeOf(language)
  const format = (options: Intl.DateTimeFormatOptions) => {
    const formatter = new Intl.DateTimeFormat(locale, options)
    return (iso: string) => formatter.format(new Date(iso))
  }
  const numbers = new Intl.NumberFormat(locale)
  const relative = new Intl.RelativeTimeFormat(locale)
  return {
    language,
    words,
    date: format({ dateStyle: 'long' }),
    moment: format({ dateStyle: 'medium', timeStyle: 'short' }),
    month: format({ month: 'long', year: 'numeric', timeZone: 'UTC' }),
    number: (value) => numbers.format(value),
    inSeconds: (seconds) =>
      seconds < 90
        ? relative.format(seconds, 'second')
        : seconds < 5400
          ? relative.format(Math.ceil(seconds / 60), 'minute')
          : relative.format(Math.ceil(seconds / 3600), 'hour'),
    join: (...sentences) => sentences.join(language === 'ja' ? '' : ' '),
  }
}

type Spoken = Speech & {
  /** Somebody chose it on the page. */
  choose: (language: Language) => void
  /** The language that the sender of the link chose; what the client chose stays. */
  suggest: (language: Language | null) => void
}
const Context = createContext<Spoken | undefined>(undefined)
export const useSpeech = (): Spoken => use(Context)!

export function Speaking({ first, children }: { first: Speech; children: ReactNode }) {
  const [speech, setSpeech] = useState(first)
  const wanted = useRef(first.language)
  useEffect(() => {
    document.documentElement.lang = speech.language
  }, [speech])
  const spoken = useMemo(() => {
    const change = (language: Language) => {
      wanted.current = language
      speak(language).then(
        (next) => wanted.current === language && setSpeech(next),
        () => undefined, // The language that is shown stays.
      )
    }
    return {
      ...speech,
      choose: (language: Language) => {
        rememberLanguage(language)
        change(language)
      },
      suggest: (language: Language | null) => {
        if (language && language !== wanted.current && !chosenLanguage()) change(language)
      },
    }
  }, [speech])
  const phrases = useMemo(() => phrasesIn(speech), [speech])
  return (
    <Context value={spoken}>
      <PhrasesContext value={phrases}>{children}</PhrasesContext>
    </Context>
  )
}

const MARK = '\u{e000}'

/** A sentence in which one of its names stands out. */
export const Emphasized = ({ say, name }: { say: (name: string) => string; name: string }) => {
  const [before, after] = say(MARK).split(MARK)
  return (
    <>
      {before}
      <strong className="wrap-anywhere text-ink">{name}</strong>
      {after}
    </>
  )
}
