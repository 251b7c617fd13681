// What can be wrong with an identity provider.
// Whoever signs in by it lands on the error page that says so; everybody else notices nothing.
import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { type FaultKind, untilNoticed } from './kind.ts'
import { STARTED_MS } from './service-under-load.ts'

export function identityKinds(): FaultKind[] {
  const kind = (name: string, cause: FaultKind['cause'], more: readonly string[] = []): FaultKind => ({
    name: `identity provider ${name}`,
    refusals: ['provider_unavailable', ...more],
    withinMs: 15_000,
    cause,
  })
  const replaced = (name: string, stranger: (socket: Socket) => void) =>
    kind(name, async (subject, report) => {
      subject.dependencies.identity.replace(stranger)
      await untilNoticed(subject, 'provider_unavailable', report)
      subject.dependencies.identity.pass()
    })
  return [
    // Its description is kept for an hour:
    // only a service that never saw it needs it. The restart itself cuts connections.
    kind(
      'down since before the service started',
      async (subject, report) => {
        const { service, dependencies } = subject
        await service.stop()
        await dependencies.identity.down()
        service.start()
        await service.ready(STARTED_MS)
        await untilNoticed(subject, 'provider_unavailable', report)
        await dependencies.identity.up()
      },
      ['cut', 'unavailable'],
    ),
    kind('dies between start and callback', async (subject, report) => {
      await subject.dependencies.identity.down()
      await untilNoticed(subject, 'provider_unavailable', report)
      await subject.dependencies.identity.up()
    }),
    replaced('says nothing', () => {}),
    replaced('answers garbage', (socket) => socket.once('data', () => socket.end(randomBytes(2048)))),
  ]
}
