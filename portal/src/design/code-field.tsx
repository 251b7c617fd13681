import { box, Framed } from './field.tsx'

/**
 * The six digits of a mail. One box:
 * it can be pasted into, read aloud, and filled by the phone from the message.
 */
export function CodeField({ onComplete }: { onComplete: (code: string) => void }) {
  return (
    <Framed name="code" label="6-digit code">
      {(ties) => (
        <input
          {...ties}
          // biome-ignore lint/a11y/noAutofocus: it follows a form that had the focus, and is the one thing to do here
          autoFocus
          className={`${box} h-13 text-center font-mono text-title tracking-[0.5em] indent-[0.5em]`}
          inputMode="numeric"
          autoComplete="one-time-code"
          pattern="\d{6}"
          title="Enter all 6 digits of the code."
          maxLength={6}
          required
          onChange={(event) => {
            const digits = event.target.value.replace(/\D/g, '')
            event.target.value = digits
            if (digits.length === 6) onComplete(digits)
          }}
        />
      )}
    </Framed>
  )
}
