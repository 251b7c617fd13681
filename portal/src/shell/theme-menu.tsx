import { Button } from '../design/button.tsx'
import { Icon } from '../design/icons.tsx'
import { Menu, MenuChoice } from '../design/menu.tsx'
import { chooseTheme, themes, useTheme } from '../theme.ts'

export const ThemeChoice = () => <MenuChoice label="Appearance" value={useTheme()} options={themes} onChoose={chooseTheme} />

export const ThemeMenu = () => (
  <Menu
    label="Appearance"
    trigger={
      <Button look="quiet" size="square">
        <Icon name="theme" />
      </Button>
    }
  >
    <ThemeChoice />
  </Menu>
)
