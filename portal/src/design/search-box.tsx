import { useEffect, useRef } from 'react'
import { Icon } from './icons.tsx'

const TYPING = 200

type SearchBoxProps = {
  label: string
  placeholder: string
  /** What the address says. */
  q: string
  onSearch: (q: string | undefined) => void
  className?: string
}

/** Asked for when the typing pauses. What changes the address from elsewhere also changes what stands here. */
export function SearchBox({ label, placeholder, q, onSearch, className = '' }: SearchBoxProps) {
  const input = useRef<HTMLInputElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const sent = useRef(q)
  useEffect(() => {
    if (q === sent.current) return
    clearTimeout(timer.current)
    sent.current = q
    input.current!.value = q
  }, [q])
  useEffect(() => () => clearTimeout(timer.current), [])
  return (
    <span className={`relative grid ${className}`}>
      <Icon name="search" className="pointer-events-none absolute top-1/2 left-2.5 -translate-y-1/2 text-faint" />
      <input
        ref={input}
        type="search"
        aria-label={label}
        placeholder={placeholder}
        maxLength={100}
        className="control-small w-full border border-line bg-surface pr-2 pl-8 sm:w-56"
        defaultValue={q}
        onChange={({ target: { value } }) => {
          clearTimeout(timer.current)
          timer.current = setTimeout(() => {
            sent.current = value
            onSearch(value || undefined)
          }, TYPING)
        }}
      />
    </span>
  )
}
