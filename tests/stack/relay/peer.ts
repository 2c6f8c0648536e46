import type { WebSocket } from 'ws'
import { type Message, subscriptionId } from './mailbox.ts'
import type { Switches } from './switches.ts'

/** One open socket and what it listens to. */
export type Peer = {
  clientId: string
  topics: Set<string>
  socket: WebSocket
  /** Sends a frame, as late as the switches say; nothing while the relay is silent. */
  say(frame: string): void
  /** Pushes a message as the switches say. */
  push(message: Message): void
  /** Takes an acknowledgement by the digits of its id. @returns whether a push was waiting for it */
  acknowledged(digits: string): boolean
}

/** A push without a follower is held back this long while `reorder` is on, in ms. */
const holdMs = 60

/**
 * @param world.later runs something after a time, unless the relay is closed before
 * @param world.nextId digits of the next push
 */
export function createPeer(
  { clientId, socket }: { clientId: string; socket: WebSocket },
  world: { switches(): Switches; later(ms: number, run: () => void): void; nextId(): string; onPush(): void },
): Peer {
  const unacknowledged = new Map<string, Message>()
  const held: string[] = []

  const say = (frame: string): void => {
    const { silent, delayMs } = world.switches()
    if (silent) return
    const send = (): void => {
      if (socket.readyState === socket.OPEN) socket.send(frame)
    }
    if (delayMs > 0) world.later(delayMs, send)
    else send()
  }
  const release = (): void => {
    for (const frame of held.splice(0).reverse()) say(frame)
  }
  return {
    clientId,
    topics: new Set(),
    socket,
    say,
    push: message => {
      const { silent, reorder, duplicate } = world.switches()
      if (silent) return
      const id = world.nextId()
      unacknowledged.set(id, message)
      world.onPush()
      const frame = pushFrame(id, message, clientId)
      if (!reorder) say(frame)
      else if (held.push(frame) > 1) release()
      else world.later(holdMs, release)
      if (duplicate) say(frame)
    },
    acknowledged: digits => {
      unacknowledged.get(digits)?.ackedBy.add(clientId)
      return unacknowledged.delete(digits)
    },
  }
}

/** The id is written as bare digits: JSON numbers of that size cannot be made by `JSON.stringify`. */
function pushFrame(id: string, { topic, message, publishedAt, tag, attestation }: Message, clientId: string): string {
  const data = { topic, message, publishedAt, tag, ...(attestation === undefined ? {} : { attestation }) }
  const params = JSON.stringify({ id: subscriptionId(topic, clientId), data })
  return `{"id":${id},"jsonrpc":"2.0","method":"irn_subscription","params":${params}}`
}
