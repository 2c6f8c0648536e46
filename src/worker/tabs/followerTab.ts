/**
 * A worker whose tab does not lead: it has no core, but its page cannot tell. Calls go to the leader, facts come from there
 * to this page by the same credit as everywhere; when the leader is lost its successor says so.
 */
import { Fault } from '../../events/failure.ts'
import type { FactRecord } from '../../events/log/record.ts'
import type { Attached, PageHello, PagePort } from '../../events/wire.ts'
import { type Batches, createBatches } from '../host/batches.ts'
import {
  type Asked,
  openChannel,
  ownName,
  type Pong,
  type Shared,
  sharedName,
  type ToFollower,
  type ToLeader,
} from './channel.ts'
import { pairingUriFrom } from './pairingUriFrom.ts'
import type { ForwardCall } from './retryingCalls.ts'

/**
 * How often the leader is asked whether it lives, how long a visible tab waits for a sign of it, and how long a page that is
 * gone may take to come back before what it was asked ends: its worker may have died alone; and how long a call may take, ms.
 */
export type Patience = { pingMs: number; silentMs: number; returnMs: number; callMs: number }

type Ports = Pick<Patience, 'pingMs' | 'silentMs'> & {
  peer: string
  protocolVersion: string
  /** Monotonic, ms. */
  clock(): number
  /** Whether a person looks at this tab. */
  visible(): boolean
  /** This worker's page, once it has attached. */
  page(): PagePort | undefined
  /** A leader is there; also each time another one takes over. */
  joined(forward: ForwardCall): void
  /** Whoever holds the lock says nothing. */
  silent(): void
}

export type FollowerTab = {
  readonly life: number
  /** Number of the input in whose step the leader is, as far as it could tell; 0 for none. */
  readonly inStep: number
  /** Forgets the leader: another build leads now. */
  leave(): void
  close(): void
}

type Pending = { resolve(value: unknown): void; reject(cause: Fault): void }

export function createFollowerTab(ports: Ports): FollowerTab {
  const { peer, protocolVersion, clock, page, pingMs, silentMs } = ports
  const shared = openChannel(sharedName(protocolVersion))
  const own = openChannel(ownName(protocolVersion, peer))
  let leader: { id: string; life: number; genesisHash: string } | undefined
  let pending = new Map<number, Pending>()
  let calls = 0
  /** facts on their way to the page, from when it asked to attach */
  let early: FactRecord[] | undefined
  let batches: Batches | undefined
  let last = 0
  let inStep = 0
  /** what the leader said it had when it was asked the time before */
  let told = 0
  let heardAt = clock()
  let closed = false
  let tickedAt = clock()

  function ask(name: Asked, args: readonly unknown[], again = false): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (!leader) return reject(new Fault('core_lost', 'a call expected a leading tab, there is none'))
      calls += 1
      pending.set(calls, { resolve, reject })
      own.postMessage({ k: 'call', to: leader.id, id: calls, name, args, again } satisfies ToLeader)
    })
  }

  /** The page joins anew when a fact is missing. */
  function missed(): void {
    batches?.stop()
    batches = undefined
    early = undefined
    void page()
      ?.detached()
      .catch(() => undefined)
  }

  function pass(facts: FactRecord[]): void {
    const fresh = facts.filter(({ seq }) => seq > last)
    const [first] = fresh
    if (!first) return
    if (first.seq !== last + 1) return missed()
    last += fresh.length
    batches?.push(fresh, true)
  }

  async function attach(hello: PageHello, port: PagePort): Promise<Attached> {
    batches?.stop()
    batches = undefined
    const mine: FactRecord[] = []
    early = mine
    const attached = (await ask('attach', [hello])) as Attached
    // A later call has taken this one's place
    if (early !== mine) return attached
    early = undefined
    last = attached.seq
    told = attached.seq
    batches = createBatches(port, () => {
      void ask('left', [hello.tab]).catch(() => undefined)
      missed()
    })
    pass(mine)
    return attached
  }

  /** The code is a secret: it is read where it lies, and never said on a channel. It lies there once all that is known is kept. */
  async function pairingUri(pairingTopic: string): Promise<string | undefined> {
    await ask('pageFacts', [[]]).catch(() => undefined)
    return pairingUriFrom(leader?.genesisHash ?? '', pairingTopic)
  }

  const forward: ForwardCall = (name, args, again) => {
    if (name === 'attach') return attach(args[0] as PageHello, args[1] as PagePort)
    if (name === 'pairingUri') return pairingUri(args[0] as string)
    return ask(name, args, again)
  }

  function forget(): void {
    const before = pending
    pending = new Map()
    leader = undefined
    batches?.stop()
    batches = undefined
    early = undefined
    for (const { reject } of before.values()) reject(new Fault('core_lost', 'the leading tab is gone'))
  }

  const join = () => shared.postMessage({ k: 'join', from: peer } satisfies Shared)

  shared.onmessage = ({ data }: MessageEvent<Shared>) => {
    if (data.k === 'join') return
    if (data.k === 'lead') {
      heardAt = clock()
      if (data.from !== leader?.id) join()
    } else if (data.from === leader?.id) {
      heardAt = clock()
      if (data.k === 'step') inStep = data.n
      else if (early) early.push(...data.facts)
      else if (batches) pass(data.facts)
    }
  }

  own.onmessage = ({ data }: MessageEvent<ToFollower>) => {
    if (data.k === 'welcome') {
      heardAt = clock()
      // One that thaws may answer once more before it learns that it does not lead any more
      if (leader && (leader.id === data.from || data.life < leader.life)) return
      const before = pending
      pending = new Map()
      batches?.stop()
      batches = undefined
      inStep = 0
      leader = { id: data.from, life: data.life, genesisHash: data.genesisHash }
      ports.joined((...call) => forward(...call))
      for (const { reject } of before.values()) reject(new Fault('core_lost', 'the leading tab is gone'))
      return
    }
    if (data.k === 'opening') {
      if (!leader) heardAt = clock()
      return
    }
    if (!leader || data.from !== leader.id) return
    heardAt = clock()
    hear(data)
  }

  function hear(data: Exclude<ToFollower, { k: 'welcome' | 'opening' }>): void {
    const port = page()
    switch (data.k) {
      case 'answer':
        pending.get(data.id)?.resolve(data.value)
        pending.delete(data.id)
        return
      case 'refused':
        pending.get(data.id)?.reject(new Fault(data.failure.code, data.failure.message))
        pending.delete(data.id)
        return
      case 'perform': {
        const said = (ok: boolean) => {
          if (!closed) own.postMessage({ k: 'performed', to: data.from, id: data.id, ok } satisfies ToLeader)
        }
        if (!port) return said(false)
        port.perform(data.effect).then(
          () => said(true),
          () => said(false),
        )
        return
      }
      case 'detached':
        return missed()
      case 'restart':
        void port?.restart(data.erased).catch(() => undefined)
    }
  }

  async function ping(): Promise<void> {
    const before = told
    const pong = (await ask('ping', [])) as Pong
    told = pong.seq
    // What the leader had already two questions ago must be here by now
    if (batches && last < before) missed()
  }

  const ticking = setInterval(() => {
    const at = clock()
    // A tab that slept itself has heard nothing for that reason
    if (at - tickedAt > 2 * pingMs) heardAt = at
    tickedAt = at
    if (leader) ping().catch(() => undefined)
    else join()
    if (ports.visible() && at - heardAt > silentMs) {
      heardAt = at
      ports.silent()
    }
  }, pingMs)
  join()

  return {
    get life() {
      return leader?.life ?? 0
    },
    get inStep() {
      return inStep
    },
    leave: forget,
    close() {
      closed = true
      clearInterval(ticking)
      forget()
      shared.close()
      own.close()
    },
  }
}
