import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'

type MenuProps = {
  /** Only where the trigger shows no words of its own. */ label?: string
  trigger: ReactNode
  children: ReactNode
  align?: 'start' | 'end'
}

/** Not modal: the modal kind locks scrolling with a style element, which the pages' policy refuses. */
export const Menu = ({ label, trigger, children, align = 'end' }: MenuProps) => (
  <DropdownMenu.Root modal={false}>
    <DropdownMenu.Trigger asChild aria-label={label}>
      {trigger}
    </DropdownMenu.Trigger>
    <DropdownMenu.Portal>
      <DropdownMenu.Content
        align={align}
        sideOffset={6}
        collisionPadding={12}
        loop
        className="card z-40 max-h-(--radix-dropdown-menu-content-available-height) min-w-52 max-w-80 overflow-y-auto p-1 shadow-floating"
      >
        {children}
      </DropdownMenu.Content>
    </DropdownMenu.Portal>
  </DropdownMenu.Root>
)

const item =
  'flex w-full select-none items-center gap-2.5 rounded-small px-2.5 py-1.5 text-left outline-none data-highlighted:bg-sunken data-disabled:text-faint pointer-coarse:py-2.5'

export const MenuItem = ({ onSelect, danger, children }: { onSelect: () => void; danger?: boolean; children: ReactNode }) => (
  <DropdownMenu.Item className={`${item} cursor-pointer ${danger ? 'text-bad' : ''}`} onSelect={onSelect}>
    {children}
  </DropdownMenu.Item>
)

/** A link as an item, so that it can also be opened in another tab. */
export const MenuLink = ({ children }: { children: ReactNode }) => (
  <DropdownMenu.Item asChild className={item}>
    {children}
  </DropdownMenu.Item>
)

export const MenuLabel = ({ children }: { children: ReactNode }) => (
  <DropdownMenu.Label className="px-2.5 pt-2 pb-1 font-medium text-faint text-tiny">{children}</DropdownMenu.Label>
)
export const MenuLine = () => <DropdownMenu.Separator className="my-1 h-px bg-line" />

export function MenuChoice<Value extends string>(props: {
  label: string
  value: Value
  options: readonly Value[]
  onChoose: (value: Value) => void
}) {
  const { label, value, options, onChoose } = props
  return (
    <DropdownMenu.RadioGroup value={value} onValueChange={(chosen) => onChoose(chosen as Value)}>
      <MenuLabel>{label}</MenuLabel>
      {options.map((option) => (
        <DropdownMenu.RadioItem
          key={option}
          value={option}
          className={`${item} cursor-pointer capitalize`}
          onSelect={(event) => event.preventDefault()}
        >
          <span className="grid size-4 place-items-center">
            <DropdownMenu.ItemIndicator className="size-1.5 rounded-full bg-accent" />
          </span>
          {option}
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  )
}
