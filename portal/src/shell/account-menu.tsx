import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { client, queryClient, read, useChange } from '../api.ts'
import { Icon } from '../design/icons.tsx'
import { Menu, MenuItem, MenuLine, MenuLink } from '../design/menu.tsx'
import { forgetSession } from '../session.ts'
import { forgetDrafts } from '../tab-draft.ts'
import { ThemeChoice } from './theme-menu.tsx'

export function useSignOut() {
  const navigate = useNavigate()
  return useChange(
    () => client.signOut(),
    async () => {
      forgetSession()
      forgetDrafts()
      await navigate({ to: '/' })
      queryClient.clear()
    },
  )
}

export function AccountMenu() {
  const user = useQuery(read('getSession')).data?.user
  const signOut = useSignOut()
  const initials = (user?.name || user?.email || ' ').trim().charAt(0).toUpperCase()
  return (
    <Menu
      label="Account"
      trigger={
        <button
          type="button"
          className="grid size-8 shrink-0 place-items-center rounded-full bg-accent-tint font-semibold text-accent hover:bg-sunken pointer-coarse:size-10"
        >
          {initials}
        </button>
      }
    >
      <div className="px-2.5 pt-1.5 pb-2">
        <p className="truncate font-medium">{user?.name}</p>
        <p className="truncate text-faint text-small">{user?.email}</p>
      </div>
      <MenuLine />
      <MenuLink>
        <Link to="/account">
          <Icon name="person" /> Account
        </Link>
      </MenuLink>
      <MenuLink>
        <Link to="/docs">
          <Icon name="info" /> Documentation
        </Link>
      </MenuLink>
      <MenuLine />
      <ThemeChoice />
      <MenuLine />
      <MenuItem onSelect={() => signOut.mutate()}>
        <Icon name="leave" /> Sign out
      </MenuItem>
    </Menu>
  )
}
