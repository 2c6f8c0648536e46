/**
 * A worker whose tab does not lead. It has no core, and its page cannot tell: calls go to the leader, facts come from there.
 *
 * 1. The page gets every fact once and in order. After a gap it attaches again; no fact is skipped.
 * 2. Answers and facts count from the leader of the last `welcome` alone. A leader of an earlier life is refused.
 * 3. When the leader is lost, pending calls fail with `core_lost`; `retryingCalls.ts` gives them to the next leader.
 * 4. A pairing code never comes by a channel: this worker reads it from the vault.
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

/** Limits of time, ms. */
export type Patience = {
  /** between two pings of the leader */
  pingMs: number
  /** silence of the leader before a visible tab takes over */
  silentMs: number
  /** for a closed page to come back, whose worker may have died alone; then its open prompts fail */
  returnMs: number
  /** for the answer to a call */
  callMs: number
}

type Ports = Pick<Patience, 'pingMs' | 'silentMs'> & {
  peer: string
  protocolVersion: string
  /** Monotonic, ms. */
  clock(): number
  /** Whether a person looks at this tab. */
  visible(): boolean
  /** This worker's page, once it has attached. */
  page(): PagePort | undefined
  /** A leader welcomed this worker; called again after each takeover. */
  joined(forward: ForwardCall): void
  /** A person looks at this tab and no leader has been heard for `silentMs`; called again after as long. */
  leaderSilent(): void
}

export type FollowerTab = {
  readonly life: number
  /** Number of the input whose step the leader is in, as last heard; 0 for none. */
  readonly inStep: number
  /** Forgets the leader, since another build leads. */
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
  /** facts that arrive while the page attaches */
  let early: FactRecord[] | undefined
  let batches: Batches | undefined
  let last = 0
  let inStep = 0
  /** the leader's newest fact at the last ping */
  let leaderSeq = 0
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

  /** A fact is missing: the page attaches again. */
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
    // A later attach replaced this one
    if (early !== mine) return attached
    early = undefined
    last = attached.seq
    leaderSeq = attached.seq
    batches = createBatches(port, () => {
      void ask('left', [hello.tab]).catch(() => undefined)
      missed()
    })
    pass(mine)
    return attached
  }

  /** An empty `pageFacts` makes the leader commit, so that the code is on disk. */
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

  /** Asks the leader, if there is one, for its welcome. */
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
      // A leader that thaws may answer before it learns that it was replaced
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
        const performed = (ok: boolean) => {
          if (!closed) own.postMessage({ k: 'performed', to: data.from, id: data.id, ok } satisfies ToLeader)
        }
        if (!port) return performed(false)
        port.perform(data.effect).then(
          () => performed(true),
          () => performed(false),
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
    const before = leaderSeq
    const pong = (await ask('ping', [])) as Pong
    leaderSeq = pong.seq
    // A fact that the leader had at the ping before this one must have arrived
    if (batches && last < before) missed()
  }

  const ticking = setInterval(() => {
    const at = clock()
    // After a sleep of this tab its own silence counts for nothing
    if (at - tickedAt > 2 * pingMs) heardAt = at
    tickedAt = at
    if (leader) ping().catch(() => undefined)
    else join()
    if (ports.visible() && at - heardAt > silentMs) {
      heardAt = at
      ports.leaderSilent()
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
