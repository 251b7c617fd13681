import { useSuspenseQuery } from '@tanstack/react-query'
import { client, read, useChange } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Card } from '../design/card.tsx'
import { TextField } from '../design/field.tsx'
import { Form } from '../design/form.tsx'
import { Icon } from '../design/icons.tsx'
import { toast } from '../design/toast.tsx'
import { useSignOut } from '../shell/account-menu.tsx'
import { LonePage } from '../shell/shell.tsx'
import { Notifications } from './notifications.tsx'
import { Sessions } from './sessions.tsx'

export function Account() {
  const { data: user } = useSuspenseQuery(read('getMe'))
  const rename = useChange(
    (name: string) => client.updateMe({ name }),
    () => toast('Your name was changed.'),
  )
  const signOut = useSignOut()
  return (
    <LonePage
      title="Account"
      lead={user.email}
      action={
        <Button onClick={() => signOut.mutate()} busy={signOut.isPending}>
          <Icon name="leave" /> Sign out
        </Button>
      }
    >
      <Card title="Profile" note="Colleagues see this name in member lists and in the audit trail. Clients see it on connect pages.">
        <Form<{ name: string }>
          error={rename.error}
          busy={rename.isPending}
          onSubmit={({ name }) => rename.mutate(name)}
          className="grid max-w-sm gap-4"
        >
          <TextField
            key={user.name}
            name="name"
            label="Display name"
            autoComplete="name"
            required
            maxLength={255}
            defaultValue={user.name}
          />
          <div>
            <Button type="submit" busy={rename.isPending}>
              Save
            </Button>
          </div>
        </Form>
      </Card>
      <Notifications mode={user.notifications.mode} />
      <Sessions />
    </LonePage>
  )
}
