// What can be wrong with an identity provider. Whoever signs in by it lands on the error page that says so; everybody else notices nothing.
import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { STARTED_MS } from './house.ts'
import { type Kind, untilFelt } from './kind.ts'

export function identityKinds(): Kind[] {
  const kind = (name: string, play: Kind['play'], more: readonly string[] = []): Kind => ({
    name: `identity provider ${name}`,
    refusals: ['provider_unavailable', ...more],
    withinMs: 15_000,
    play,
  })
  const replaced = (name: string, stranger: (socket: Socket) => void) =>
    kind(name, async (house, complain) => {
      house.neighbours.identity.replace(stranger)
      await untilFelt(house, 'provider_unavailable', complain)
      house.neighbours.identity.pass()
    })
  return [
    // Its description is kept for an hour: only a service that never saw it needs it. The restart itself cuts connections.
    kind(
      'down since before the service started',
      async (house, complain) => {
        const { service, neighbours } = house
        await service.stop()
        await neighbours.identity.down()
        service.start()
        await service.ready(STARTED_MS)
        await untilFelt(house, 'provider_unavailable', complain)
        await neighbours.identity.up()
      },
      ['cut', 'unavailable'],
    ),
    kind('dies between start and callback', async (house, complain) => {
      await house.neighbours.identity.down()
      await untilFelt(house, 'provider_unavailable', complain)
      await house.neighbours.identity.up()
    }),
    replaced('says nothing', () => {}),
    replaced('answers garbage', (socket) => socket.once('data', () => socket.end(randomBytes(2048)))),
  ]
}
