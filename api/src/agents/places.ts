// Whose integrations a tool is about, where the agent does not say: the key's own organization, or the person's only one.
import type { Output } from '@adjoin/contract'
import { Refusal, refuse } from '../refusal.ts'
import type { Asking } from './tool.ts'

/** Where to look: a whole organization, or the one workspace that a workspace key knows. */
export interface Place {
  readonly orgSlug: string
  readonly workspace?: { readonly slug: string; readonly name: string }
}

export async function placeOf(asking: Asking, organization: string | undefined): Promise<Place> {
  if (organization) return { orgSlug: organization }
  return asking.via === 'apiKey' ? keyPlace(await asking.ask('getCurrentApiKey', {})) : onlyOrganization(asking)
}

const keyPlace = ({ organization, workspaceSlug, workspace }: Output<'getCurrentApiKey'>): Place => ({
  orgSlug: organization.slug,
  ...(workspaceSlug && { workspace: { slug: workspaceSlug, name: workspace ?? workspaceSlug } }),
})

async function onlyOrganization(asking: Asking): Promise<Place> {
  const { organizations } = await asking.ask('listOrganizations', {})
  const [only, ...others] = organizations
  if (!only) return refuse('not_found', { detail: 'This login belongs to no organization yet. Ask an admin for an invitation.' })
  if (others.length)
    return refuse('validation_failed', {
      detail: `This login belongs to several organizations. Call again with \`organization\`, one of: ${organizations.map(({ slug }) => slug).join(', ')}.`,
    })
  return { orgSlug: only.slug }
}

/** An organization's list is closed to workspace keys; they have their own workspace's. */
export async function inPlace<T>(asking: Asking, place: Place, work: (place: Place) => Promise<T>): Promise<T> {
  try {
    return await work(place)
  } catch (error) {
    if (place.workspace || asking.via !== 'apiKey' || !(error instanceof Refusal) || error.code !== 'credential_refused') throw error
    const own = keyPlace(await asking.ask('getCurrentApiKey', {}))
    if (own.orgSlug !== place.orgSlug || !own.workspace) throw error
    return work(own)
  }
}
