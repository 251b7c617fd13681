// A connection is handed to a process that is killed before it takes it: Node keeps it open and forgets it, so its
// client would wait for ever. It happens at the worst time, when the clients of the killed one come back at once.

import cluster from 'node:cluster'

/** What Node's processes tell one another: a connection that is handed on, and whether it was taken. */
interface ClusterMessage {
  readonly act?: string
  readonly seq?: number
  readonly ack?: number
}

/** What a process was given and has not taken when it ends is offered to the others, as if it had refused it. */
export function keepHandoffs(): void {
  cluster.on('fork', ({ process: child }) => {
    const open = new Set<number>()
    const send = child.send.bind(child) as (...args: unknown[]) => boolean
    child.send = (message: ClusterMessage, ...rest: unknown[]) => {
      if (message.act === 'newconn') open.add(message.seq!)
      return send(message, ...rest)
    }
    child.on('internalMessage', ({ ack }: ClusterMessage) => void (ack !== undefined && open.delete(ack)))
    const offer = () => {
      if (child.connected) return setImmediate(offer) // what it said last has not been read yet
      child.emit('internalMessage', { cmd: 'NODE_ENDED' }) // a message that it began to say is not waited for
      for (const ack of open) child.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack, accepted: false })
    }
    child.once('exit', offer)
  })
}
