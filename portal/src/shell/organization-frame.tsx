import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, Outlet, useLocation, useParams } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { read } from '../api.ts'
import { Icon } from '../design/icons.tsx'
import { FrozenBanner } from './frozen-banner.tsx'
import { placesOf } from './places.ts'
import { Content } from './shell.tsx'

export function useOrganization() {
  const { orgSlug } = useParams({ from: '/signed-in/organizations/$orgSlug' })
  return useSuspenseQuery(read('getOrganization', { orgSlug })).data
}

export const useMe = () => useSuspenseQuery(read('getSession')).data.user

/** The pages of one organization: a list beside them, on a phone a strip above them. */
export function OrganizationFrame() {
  const organization = useOrganization()
  const nav = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  // On a phone the strip is longer than the screen: the place one is at stays in sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the place changes
  useEffect(() => {
    nav.current?.querySelector('[data-status=active]')?.scrollIntoView({ inline: 'center', block: 'nearest' })
  }, [pathname])
  return (
    <div className="mx-auto flex max-w-384 gap-8 px-4 py-6 max-md:flex-col max-md:gap-4 max-md:pt-0 sm:px-6">
      <nav
        ref={nav}
        aria-label={organization.name}
        className="md:sticky md:top-20 md:w-44 md:shrink-0 md:self-start max-md:-mx-4 max-md:overflow-x-auto max-md:border-line max-md:border-b max-md:bg-surface max-md:px-2 sm:max-md:-mx-6"
      >
        <ul className="flex gap-0.5 md:grid">
          {placesOf(organization.role).map(({ to, name, icon, exact }) => (
            <li key={name}>
              <Link
                to={to}
                params={{ orgSlug: organization.slug }}
                activeOptions={{ exact: exact ?? false, includeSearch: false }}
                className={place}
              >
                <Icon name={icon} className="max-md:hidden" /> {name}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <Content>
        <FrozenBanner organization={organization} />
        <Outlet />
      </Content>
    </div>
  )
}

const place =
  'flex items-center gap-2.5 whitespace-nowrap rounded-small px-2.5 py-1.5 text-soft hover:bg-sunken hover:text-ink max-md:rounded-none max-md:border-transparent max-md:border-b-2 max-md:py-3 data-[status=active]:font-medium data-[status=active]:text-ink md:data-[status=active]:bg-sunken max-md:data-[status=active]:border-accent'
