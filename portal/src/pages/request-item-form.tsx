import { type ReactNode, useEffect, useRef } from 'react'
import type { CatalogueProvider } from '../api.ts'
import { isCallable, modes } from '../call-words.ts'
import { Button } from '../design/button.tsx'
import { SelectField, TextField } from '../design/field.tsx'
import { useFormErrors } from '../design/form.tsx'
import { Icon } from '../design/icons.tsx'
import { ProviderFields } from '../design/provider-fields.tsx'
import { ProviderMark } from '../design/provider-mark.tsx'
import { TickField } from '../design/tick-field.tsx'
import { may, type OwnRoles } from '../may.ts'
import { type ItemDraft, itemPrefix } from '../request-draft.ts'
import { ExpectedAccountField } from './create-integration.tsx'

type ItemProps = {
  at: number
  item: ItemDraft
  /** One that has left the catalogue is not offered, but may stand in a draft. */
  provider: CatalogueProvider | undefined
  standing: OwnRoles
  onRemove: () => void
}

/** What is filled in here needs not be asked after the client has agreed. */
export function RequestItemForm({ at, item, provider, standing, onRemove }: ItemProps) {
  const prefix = itemPrefix(at)
  const { name, values, integrationId } = item
  const fresh = !integrationId && provider
  const settings = Object.fromEntries(
    Object.entries(values).flatMap(([field, value]) => (field.startsWith('settings.') ? [[field.slice('settings.'.length), value]] : [])),
  )
  return (
    <li className="grid gap-4 px-5 py-4">
      <div className="flex items-start gap-3">
        <ProviderMark provider={item.provider} category={provider?.category ?? null} className="mt-0.5 size-7" />
        <div className="min-w-0 flex-1">
          <h3 className="wrap-anywhere font-medium">{name}</h3>
          <p className="text-faint text-small">
            {integrationId
              ? `${provider?.providerName ?? item.provider}, to be connected again`
              : provider?.authMethod === 'credentials'
                ? 'Client enters credentials'
                : 'Client signs in and agrees'}
          </p>
        </div>
        <Button look="quiet" size="square" aria-label={`Remove ${name}`} onClick={onRemove}>
          <Icon name="close" />
        </Button>
      </div>
      {fresh && fresh.settingsFields.length > 0 && (
        <>
          <div className="grid items-start gap-x-5 gap-y-4 sm:grid-cols-2">
            <ProviderFields fields={fresh.settingsFields} prefix={`${prefix}settings.`} values={settings} partial />
          </div>
          <p className="text-faint text-small">Fill in what you know, so that the connection works as soon as your client agrees.</p>
        </>
      )}
      <TickField
        name={`${prefix}optional`}
        label="Optional"
        help="Your client can say that they don’t use this."
        defaultChecked={values.optional === 'on'}
      />
      <MoreOptions of={name} prefix={prefix}>
        {fresh && (
          <>
            <TextField
              name={`${prefix}name`}
              label="Name"
              help="Shown to your client and your colleagues."
              defaultValue={values.name ?? name}
              required
              maxLength={100}
              autoComplete="off"
            />
            <ExpectedAccountField name={`${prefix}expectedAccount`} value={values.expectedAccount} />
            {isCallable(fresh) && <Programs prefix={prefix} value={values.callMode} standing={standing} />}
          </>
        )}
        <AccessUntil prefix={prefix} value={values.accessUntil} />
      </MoreOptions>
    </li>
  )
}

const rare = ['name', 'expectedAccount', 'callMode', 'accessUntil']

/** Rarely needed, so closed; it opens for what is wrong in it. */
function MoreOptions({ of, prefix, children }: { of: string; prefix: string; children: ReactNode }) {
  const details = useRef<HTMLDetailsElement>(null)
  const { errors } = useFormErrors()
  const faulty = rare.find((field) => errors[prefix + field])
  useEffect(() => {
    if (!faulty) return
    details.current!.open = true
    details.current!.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [faulty])
  return (
    <details ref={details} className="group">
      <summary className="flex w-fit list-none items-center gap-1.5 rounded-small text-soft hover:text-ink [&::-webkit-details-marker]:hidden">
        More options<span className="sr-only"> for {of}</span>
        <Icon name="chevron" className="text-faint transition-transform group-open:rotate-180" />
      </summary>
      <div className="mt-4 grid items-start gap-x-5 gap-y-4 sm:grid-cols-2">{children}</div>
    </details>
  )
}

function Programs({ prefix, value = 'read', standing }: { prefix: string; value: string | undefined; standing: OwnRoles }) {
  const mayAllowChanges = may('setIntegrationCallPolicy', standing)
  return (
    <SelectField
      name={`${prefix}callMode`}
      label="What programs may do"
      help={
        mayAllowChanges
          ? 'Your client sees this before they connect.'
          : 'Your client sees this before they connect. Admins of this workspace can also allow changes.'
      }
      defaultValue={value}
    >
      {modes
        .filter((mode) => mayAllowChanges || mode.value !== 'full')
        .map((mode) => (
          <option key={mode.value} value={mode.value}>
            {mode.label}
          </option>
        ))}
    </SelectField>
  )
}

const DAY = 86_400_000
const dayFrom = (days: number) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10)

const AccessUntil = ({ prefix, value = '' }: { prefix: string; value: string | undefined }) => (
  <TextField
    name={`${prefix}accessUntil`}
    label="Access ends on (optional)"
    help="We disconnect automatically on that day. Your client sees the date before they connect."
    type="date"
    min={dayFrom(1)}
    max={dayFrom(729)}
    defaultValue={value}
  />
)
