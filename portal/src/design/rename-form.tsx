import { useEffect, useRef } from 'react'
import { Button } from './button.tsx'
import { TextField } from './field.tsx'
import { Form } from './form.tsx'

type RenameFormProps = { name: string; change: { isPending: boolean; error: Error | null }; onRename: (name: string) => void }

/** Follows a name that somebody else changed, but never while the person is typing another. */
export function RenameForm({ name, change, onRename }: RenameFormProps) {
  const input = useRef<HTMLInputElement>(null)
  const shown = useRef(name)
  useEffect(() => {
    if (input.current?.value === shown.current) input.current.value = name
    shown.current = name
  }, [name])
  return (
    <Form<{ name: string }>
      error={change.error}
      busy={change.isPending}
      onSubmit={(values) => onRename(values.name)}
      className="flex max-w-lg flex-wrap items-end gap-2 *:first:flex-1"
    >
      <TextField ref={input} name="name" label="Name" hideLabel required maxLength={100} defaultValue={name} autoComplete="off" />
      <Button type="submit" busy={change.isPending}>
        Rename
      </Button>
    </Form>
  )
}
