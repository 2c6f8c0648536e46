/**
 * A worker whose tab does not lead. It has no core, and its page cannot tell: calls go to the leader, facts come from there.
 *
 * 1. The page gets every fact once and in order. After a gap it attaches again; no fact is skipped.
 * 2. Answers and facts count from the leader of the last `welcome` alone. A leader of an earlier life is refused while the
 *    present one answers.
 * 3. When the leader is lost, pending calls fail with `core_lost`. Its page repeats what can be repeated once it has attached
 *    to the next core.
 * 4. The answer of a secret call never comes by a channel: this worker finds it by itself.
 *
 * One function, because the leader, its facts and its silence are one state: a message of the wrong leader may touch none of it.
 */
import { expose } from 'comlink'
import { callsOver, type Line } from '../calls/callsOver.ts'
import { onlyNamed, passNamedCalls } from '../calls/namedCalls.ts'
import { Fault } from '../failure.ts'
import { type Batches, createBatches } from '../host/batches.ts'
import type { FactRecord } from '../log/record.ts'
import type { AnyCalls, AnyPort, AttachedTo, Hello } from '../wire.ts'
import {
  type Channel,
  type FollowerPort,
  followerPortNames,
  type Greeting,
  type LeaderCalls,
  leaderCallNames,
  openChannel,
  type Shared,
} from './channel.ts'
import type { TabRules } from './tabRules.ts'

/** Limits of time, ms. */
export type Patience = {
  /** between two pings of the leader */
  pingMs: number
  /** silence of the leader before a visible tab takes over */
  silentMs: number
  /** for a closed page to come back, whose worker may have died alone; then its open prompts fail */
  returnMs: number
}

type Ports = Pick<TabRules, 'channels' | 'calls' | 'isAwaited' | 'secretCalls'> &
  Pick<Patience, 'pingMs' | 'silentMs'> & {
    peer: string
    protocolVersion: string
    /** Monotonic, ms. */
    clock(): number
    /** Whether a person looks at this tab. */
    visible(): boolean
    /** This worker's page, once it has attached. */
    page(): AnyPort | undefined
    /** A leader welcomed this worker, and these calls reach its core; called again after each takeover. */
    joined(calls: AnyCalls): void
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

type Leader = { id: string; life: number; line: Line<LeaderCalls>; channels: readonly Channel[] }

export function createFollowerTab(ports: Ports): FollowerTab {
  const { channels, isAwaited, peer, protocolVersion, clock, page, pingMs, silentMs } = ports
  const callNames = leaderCallNames(ports.calls)
  const shared = openChannel(channels.shared(protocolVersion))
  const own = openChannel(channels.own(protocolVersion, peer))
  let leader: Leader | undefined
  /** facts that arrive while the page attaches */
  let early: FactRecord[] | undefined
  let batches: Batches | undefined
  let last = 0
  let inStep = 0
  /** the leader's newest fact at the last ping */
  let leaderSeq = 0
  let heardAt = clock()
  /** when the leader itself was heard last */
  let answeredAt = heardAt
  let tickedAt = clock()

  const isHeard = () => {
    heardAt = clock()
  }
  const isAnswered = () => {
    isHeard()
    answeredAt = heardAt
  }
  const isSilent = () => clock() - answeredAt > silentMs

  function stopFacts(): void {
    batches?.stop()
    batches = undefined
    early = undefined
  }

  /** A fact is missing: the page attaches again. */
  function missed(): void {
    stopFacts()
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

  async function attach({ calls }: Line<LeaderCalls>, hello: Hello, port: AnyPort): Promise<AttachedTo<any>> {
    stopFacts()
    const mine: FactRecord[] = []
    early = mine
    const attached = await calls.attach(hello)
    // A later attach replaced this one
    if (early !== mine) return attached
    early = undefined
    last = attached.seq
    leaderSeq = attached.seq
    batches = createBatches(port, isAwaited, () => {
      void calls.left(hello.tab).catch(() => undefined)
      missed()
    })
    pass(mine)
    return attached
  }

  /** The leader's calls to this worker's page. */
  const port: FollowerPort = {
    async perform(effect) {
      const performing = page()
      if (!performing) throw new Fault('elsewhere', 'a page effect expected a page, none has joined')
      await performing.perform(effect)
    },
    detached: async () => missed(),
    restart: async next => page()?.restart(next),
  }

  function follow({ from, life, log }: Extract<Greeting, { k: 'welcome' }>): void {
    const pair = { protocolVersion, leader: from, follower: peer }
    const [toLeader, toPage] = [openChannel(channels.calls(pair)), openChannel(channels.page(pair))]
    for (const channel of [toLeader, toPage]) channel.addEventListener('message', isAnswered)
    passNamedCalls(toPage, followerPortNames)
    expose(onlyNamed(port, followerPortNames), toPage)
    const line = callsOver<LeaderCalls>(toLeader, callNames)
    inStep = 0
    leader = { id: from, life, line, channels: [toLeader, toPage] }
    ports.joined({
      ...line.calls,
      attach: (hello, pagePort) => attach(line, hello, pagePort),
      ...ports.secretCalls(log, () => line.calls.pageFacts([])),
    })
  }

  function forget(): void {
    const before = leader
    leader = undefined
    stopFacts()
    before?.line.lose(new Fault('core_lost', 'the leading tab is gone'))
    for (const channel of before?.channels ?? []) channel.close()
  }

  /** Asks the leader, if there is one, for its welcome. */
  const join = () => shared.postMessage({ k: 'join', from: peer } satisfies Shared)

  shared.onmessage = ({ data }: MessageEvent<Shared>) => {
    if (data.k === 'join') return
    if (data.k === 'lead') {
      isHeard()
      if (data.from !== leader?.id) join()
    } else if (data.from === leader?.id) {
      isAnswered()
      if (data.k === 'step') inStep = data.n
      else if (!areFacts(data.facts)) return
      else if (early) early.push(...data.facts)
      else if (batches) pass(data.facts)
    }
  }

  own.onmessage = ({ data }: MessageEvent<Greeting>) => {
    if (data.k === 'opening') {
      if (!leader) isHeard()
      return
    }
    if (data.k !== 'welcome') return
    isHeard()
    // A leader that thaws may answer before it learns that it was replaced. Lives of logs in memory have no order, so a leader
    // that has ended holds up none of an earlier life
    if (leader && (leader.id === data.from || (data.life < leader.life && !isSilent()))) return
    forget()
    answeredAt = heardAt
    follow(data)
  }

  async function ping({ calls }: Line<LeaderCalls>): Promise<void> {
    const before = leaderSeq
    const pong = await calls.ping()
    leaderSeq = pong.seq
    // A fact that the leader had at the ping before this one must have arrived
    if (batches && last < before) missed()
  }

  const ticking = setInterval(() => {
    const at = clock()
    // After a sleep of this tab its own silence counts for nothing
    if (at - tickedAt > 2 * pingMs) isAnswered()
    tickedAt = at
    if (leader) ping(leader.line).catch(() => undefined)
    if (!leader || isSilent()) join()
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
      clearInterval(ticking)
      forget()
      shared.close()
      own.close()
    },
  }
}

/** Whether a message has facts to read: any script of the origin may post it under the leader's name. */
function areFacts(facts: unknown): boolean {
  return Array.isArray(facts) && facts.every(fact => Number.isSafeInteger((fact as FactRecord | null)?.seq))
}
