import { TickField } from './tick-field.tsx'

type SwitchProps = { label: string; help: string; on: boolean; busy: boolean; onChange: (on: boolean) => void }

/** Something that is on or off and changes at once. */
export const Switch = ({ on, busy, onChange, ...words }: SwitchProps) => (
  <TickField {...words} role="switch" aria-checked={on} checked={on} disabled={busy} onChange={(event) => onChange(event.target.checked)} />
)
