import { InlineSelect } from '../design/inline-select.tsx'
import { type Language, languages } from './languages.ts'
import { useSpeech } from './speech.tsx'

export function LanguageChoice() {
  const { words, language, choose } = useSpeech()
  return (
    <InlineSelect aria-label={words.page.language} value={language} onChange={(event) => choose(event.target.value as Language)}>
      {Object.entries(languages).map(([code, name]) => (
        <option key={code} value={code} lang={code}>
          {name}
        </option>
      ))}
    </InlineSelect>
  )
}
