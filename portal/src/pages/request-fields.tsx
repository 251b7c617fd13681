import { SelectField, TextareaField, TextField } from '../design/field.tsx'
import { TickField } from '../design/tick-field.tsx'
import { clientLanguages } from '../languages.ts'
import type { ConnectRequest } from '../request-words.ts'

/** What a field begins with: as the service has it, or as it was typed. */
type Begun<Name extends keyof ConnectRequest> = { [Each in Name]?: ConnectRequest[Each] | string | undefined }

export const RequestWords = ({ title, message, language }: Begun<'title' | 'message' | 'language'>) => (
  <>
    <TextField
      name="title"
      label="Title"
      help="What this is about, such as “Your ad accounts”."
      required
      maxLength={100}
      autoComplete="off"
      defaultValue={title}
    />
    <TextareaField
      name="message"
      label="Message (optional)"
      help="A few words from you. Plain text, without links."
      rows={3}
      maxLength={1000}
      className=""
      defaultValue={message ?? ''}
    />
    <SelectField name="language" label="Language" defaultValue={language ?? ''}>
      <option value="">The language of their browser</option>
      {clientLanguages.map(([code, name]) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </SelectField>
  </>
)

type ClientFieldsProps = Begun<'clientName' | 'clientEmail'> & { onEmail?: (email: string) => void }

export const ClientFields = ({ clientName, clientEmail, onEmail }: ClientFieldsProps) => (
  <>
    <TextField name="clientName" label="Client’s name (optional)" maxLength={100} autoComplete="off" defaultValue={clientName ?? ''} />
    <TextField
      name="clientEmail"
      label="Client’s email (optional)"
      help="We email the request, reminders and a confirmation to this address, and nothing else."
      type="email"
      maxLength={320}
      autoComplete="off"
      defaultValue={clientEmail ?? ''}
      onChange={(event) => onEmail?.(event.target.value.trim())}
    />
  </>
)

export const RemindersField = ({ on }: { on: boolean }) => (
  <TickField
    name="reminders"
    label="Remind them"
    help="By email after 2 and 5 days, and a day before the link expires."
    defaultChecked={on}
  />
)
