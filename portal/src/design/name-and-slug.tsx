import { useState } from 'react'
import { slugOf } from '../format.ts'
import { TextField } from './field.tsx'

type NameAndSlugProps = {
  /** The names of the two fields in what is sent. */
  name: string
  slug: string
  label: string
  under: string
  autoComplete?: string
}

/** The slug follows the name until one writes it oneself. */
export function NameAndSlug({ name, slug, label, under, autoComplete = 'off' }: NameAndSlugProps) {
  const [title, setTitle] = useState('')
  const [written, setWritten] = useState<string>()
  const value = written ?? slugOf(title)
  return (
    <>
      <TextField
        name={name}
        label={label}
        autoComplete={autoComplete}
        required
        maxLength={100}
        onChange={(event) => setTitle(event.target.value)}
      />
      <TextField
        name={slug}
        label="Slug"
        help={
          <>
            Used in URLs, and can’t be changed later:{' '}
            <span className="wrap-anywhere font-mono">
              {under}
              {value || '…'}
            </span>
          </>
        }
        className="font-mono"
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        required
        maxLength={63}
        pattern="[a-z0-9][a-z0-9\-]*"
        title="Use lowercase letters, digits and dashes. Start with a letter or digit."
        value={value}
        onChange={(event) => setWritten(event.target.value || undefined)}
      />
    </>
  )
}
