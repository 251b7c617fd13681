import { Button } from './button.tsx'
import { TextField } from './field.tsx'
import { Form } from './form.tsx'

type RenameFormProps = { name: string; change: { isPending: boolean; error: Error | null }; onRename: (name: string) => void }

export const RenameForm = ({ name, change, onRename }: RenameFormProps) => (
  <Form<{ name: string }>
    error={change.error}
    busy={change.isPending}
    onSubmit={(values) => onRename(values.name)}
    className="flex max-w-lg flex-wrap items-end gap-2 *:first:flex-1"
  >
    <TextField key={name} name="name" label="Name" hideLabel required maxLength={100} defaultValue={name} autoComplete="off" />
    <Button type="submit" busy={change.isPending}>
      Rename
    </Button>
  </Form>
)
