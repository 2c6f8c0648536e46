import type { WebSocket } from 'ws'
import { idKey } from './frame.ts'
import { type Message, subscriptionId } from './mailbox.ts'
import type { Switches } from './switches.ts'

/** One open socket with its subscriptions. */
export type Peer = {
  clientId: string
  topics: Set<string>
  socket: WebSocket
  /** Sends a frame after the delay of the switches; nothing while silent. */
  say(frame: string): void
  /** Pushes a message as the switches say. */
  push(message: Message): void
  /** Accepts an acknowledgement by its id's key. @returns whether a push was waiting for it */
  acknowledged(key: string): boolean
}

type World = {
  switches(): Switches
  later(ms: number, run: () => void): void
  /** Literal text of the next push's id. */
  nextId(): string
  onPush(): void
  /** @returns whether to lose this push */
  losesPush(): boolean
}

/** Longest time `reorder` holds back a push without a follower, ms. */
const holdMs = 60

/**
 * @param world.later runs a task after a delay, unless the relay closes first
 * @param world.nextId digits of the next push
 */
export function createPeer({ clientId, socket }: { clientId: string; socket: WebSocket }, world: World): Peer {
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
      if (silent || world.losesPush()) return
      const id = world.nextId()
      unacknowledged.set(idKey(id), message)
      world.onPush()
      const frame = pushFrame(id, message, clientId)
      if (!reorder) say(frame)
      else if (held.push(frame) > 1) release()
      else world.later(holdMs, release)
      if (duplicate) say(frame)
    },
    acknowledged: key => {
      unacknowledged.get(key)?.ackedBy.add(clientId)
      return unacknowledged.delete(key)
    },
  }
}

/** The id is the literal text: JSON numbers of that size cannot be made by `JSON.stringify`. */
function pushFrame(id: string, { topic, message, publishedAt, tag, attestation }: Message, clientId: string): string {
  const data = { topic, message, publishedAt, tag, ...(attestation === undefined ? {} : { attestation }) }
  const params = JSON.stringify({ id: subscriptionId(topic, clientId), data })
  return `{"id":${id},"jsonrpc":"2.0","method":"irn_subscription","params":${params}}`
}
