import { useLayoutEffect, useRef, useState } from 'react'

export type FieldValues = Record<string, string>

/** What changed underneath a form: what was not touched follows, what somebody typed stays. */
export type Reconciled = {
  /** Not touched: shows the new value. */ updated: string[]
  /** Touched: still shows what was typed. */ kept: string[]
}

const nothing: Reconciled = { updated: [], kept: [] }

/** `base`: what the form began with · `next`: what the service holds now · `typed`: what stands in the fields. */
export function reconcile(base: FieldValues, next: FieldValues, typed: FieldValues): Reconciled {
  const changed = Object.keys(next).filter((name) => next[name] !== base[name] && next[name] !== typed[name])
  return {
    updated: changed.filter((name) => typed[name] === base[name]),
    kept: changed.filter((name) => typed[name] !== base[name]),
  }
}

/** What was typed and not saved, kept while the person looks at another tab. Gone when the page is left. */
const unsaved = new Map<string, { base: FieldValues; typed: FieldValues }>()

/**
 * A form over values that others may change at the same time.
 * Its fields are the browser's own, so what is typed survives whatever is read meanwhile.
 */
export function useDraft(id: string, values: FieldValues) {
  const box = useRef<HTMLDivElement>(null)
  const base = useRef(values)
  const [changed, setChanged] = useState(nothing)
  const show = (next: FieldValues, names: string[]) => {
    for (const name of names) {
      const field = fieldIn(box.current, name)
      if (field) field.value = next[name]!
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: as the form comes and as it goes
  useLayoutEffect(() => {
    const kept = unsaved.get(id)
    unsaved.delete(id)
    if (kept) {
      base.current = kept.base
      show(kept.typed, Object.keys(kept.typed))
    }
    const form = box.current
    return () => {
      const typed = typedIn(form, base.current)
      if (Object.keys(typed).some((name) => typed[name] !== base.current[name])) unsaved.set(id, { base: base.current, typed })
    }
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same values may come as another object
  useLayoutEffect(() => {
    const found = reconcile(base.current, values, typedIn(box.current, values))
    base.current = values
    show(values, found.updated)
    if (found.updated.length || found.kept.length) setChanged(found)
  }, [JSON.stringify(values)])
  return {
    box,
    changed,
    /** Saved: shown as it was stored, except what was typed since. */
    accept: (sent: FieldValues, stored: FieldValues) => {
      const typed = typedIn(box.current, stored)
      base.current = stored
      show(
        stored,
        Object.keys(stored).filter((name) => typed[name] === (sent[name] ?? '')),
      )
      setChanged(nothing)
    },
    discard: () => {
      show(values, Object.keys(values))
      setChanged(nothing)
    },
  }
}

type FormField = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const fieldIn = (box: HTMLElement | null, name: string) =>
  (box?.querySelector('form')?.elements.namedItem(name) ?? undefined) as FormField | undefined

const typedIn = (box: HTMLElement | null, values: FieldValues): FieldValues =>
  Object.fromEntries(Object.keys(values).map((name) => [name, fieldIn(box, name)?.value ?? values[name]!]))
