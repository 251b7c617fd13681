import { useEffect, useRef } from 'react'

/** j and k move between rows, and x selects the row in focus. Enter needs no code: it opens the row’s link. */
export function useRowShortcuts() {
  const table = useRef<HTMLTableElement>(null)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || document.querySelector('dialog[open]')) return
      const rows = [...(table.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
      const at = rows.findIndex((row) => row.contains(document.activeElement))
      const step = { j: 1, k: -1 }[event.key]
      if (step) rows[Math.max(0, Math.min(at + step, rows.length - 1))]?.querySelector('a')?.focus()
      else if (event.key === 'x') rows[at]?.querySelector('input')?.click()
      else return
      event.preventDefault()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return table
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.matches('input:not([type=checkbox]), textarea, select, [contenteditable]')
