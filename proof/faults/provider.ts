// What can go wrong with an ad system. A request that needs it still succeeds and reports the problem,
// and the status of a working integration does not change.
import { randomBytes } from 'node:crypto'
import { createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type FaultKind, type FaultReport, untilNoticed } from './kind.ts'
import { type ServiceUnderLoad, UNREACHED } from './service-under-load.ts'

export function providerKinds(): FaultKind[] {
  const kind = (name: string, cause: FaultKind['cause']): FaultKind => ({
    name: `ad system ${name}`,
    refusals: [UNREACHED],
    withinMs: 15_000,
    cause,
  })
  /** Something else answers in place of the ad system. */
  const replacedBy = (name: string, impostor: (socket: Socket) => void) =>
    kind(name, async (subject, report) => {
      subject.dependencies.twins.replace(impostor)
      await untilNoticed(subject, UNREACHED, report)
      subject.dependencies.twins.pass()
    })

  return [
    kind('down', async (subject, report) => {
      await subject.dependencies.twins.down()
      await untilNoticed(subject, UNREACHED, report)
      await subject.dependencies.twins.up()
    }),
    kind('slow: 500 ms each way', async ({ dependencies: { twins } }) => {
      twins.delay(500)
      await sleep(2500)
      twins.pass()
    }),
    replacedBy('says nothing', () => {}),
    replacedBy('resets connections', (socket) => socket.once('data', () => socket.resetAndDestroy())),
    replacedBy('answers garbage', (socket) => socket.once('data', () => socket.end(randomBytes(2048)))),
    replacedBy('breaks off in mid-answer', answering('200 OK', 'content-type: application/json\r\ncontent-length: 5000', '{"data": {')),
    replacedBy('answers without end', endless),
    kind('redirects elsewhere', redirected),
  ]
}

const answering = (status: string, headers: string, body: string) => (socket: Socket) =>
  void socket.once('data', () => socket.end(`HTTP/1.1 ${status}\r\n${headers}\r\n\r\n${body}`))

function endless(socket: Socket): void {
  const more = () => {
    while (socket.writable && socket.write(Buffer.alloc(65_536, ' ')));
  }
  socket.once('data', () => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n')
    more()
  })
  socket.on('drain', more)
}

/** Following the redirect would send the credentials elsewhere, so it must never happen. */
async function redirected(subject: ServiceUnderLoad, report: FaultReport): Promise<void> {
  const { twins } = subject.dependencies
  let visits = 0
  const elsewhere = createServer((socket) => {
    visits++
    socket.destroy()
  })
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
  const { port } = elsewhere.address() as { port: number }
  twins.replace(answering('302 Found', `location: http://127.0.0.1:${port}/\r\ncontent-length: 0`, ''))
  await untilNoticed(subject, UNREACHED, report)
  twins.pass()
  await new Promise((resolve) => elsewhere.close(resolve))
  if (visits) report.wrong(`a redirect was followed ${visits} times`)
}
