import { expect, test } from 'vitest'
import { signUp } from '../../scripts/furnish.ts'
import { shapes } from '../../scripts/scenes.ts'
import { inBrowser } from '../in-browser.ts'
import { visit } from '../visit.ts'

const LONG = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft Wien und Umgebung'

inBrowser((place) => {
  test.each(Object.entries(shapes))('names as long as they may be widen and wrap nothing on a %s', async (shape, viewport) => {
    const orgSlug = `long-${shape}`
    const asked = { email: `ada@${orgSlug}.example`, name: LONG, organizationName: LONG, organizationSlug: orgSlug }
    const { token, client } = await signUp(place.service, asked)
    await client.createWorkspace({ orgSlug }, { slug: 'long', name: LONG })
    await client.createApiKey({ orgSlug }, { name: LONG, level: 'user' })
    await client.createOrganizationInvitation({ orgSlug }, { email: `${'a'.repeat(60)}@partner.example`, role: 'viewer' })
    const request = await client.createConnectRequest(
      { orgSlug, workspaceSlug: 'long' },
      { title: LONG, clientName: LONG, clientEmail: `${'a'.repeat(60)}@client.example`, items: [{ provider: 'xandr', name: LONG }] },
    )
    const requests = '/workspaces/long/requests'
    const pages = ['', '/workspaces', '/workspaces/long', requests, `${requests}/${request.id}`, '/members', '/api-keys', '/settings']
    const { page, faults, close } = await visit(place, { token, viewport })
    for (const path of pages) {
      await page.goto(`/organizations/${orgSlug}${path}`, { waitUntil: 'networkidle' })
      expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBe(viewport.width)
      expect((await page.getByRole('banner').boundingBox())!.height, path).toBeLessThan(60)
      const [search, account] = [page.getByRole('button', { name: 'Go to…' }), page.getByRole('button', { name: 'Account' })]
      expect((await search.boundingBox())!.height, path).toBeLessThan(41)
      const { width, height } = (await account.boundingBox())!
      expect(width, path).toBe(height)
    }
    expect(faults).toEqual([])
    await close()
  })
})
