/**
 * JSON-RPC calls to pools of endpoints. The core decides which calls travel together, to which endpoint, and when again; this
 * side holds params and results by the calls' numbers, and sends.
 */
import type { Fault } from '../../../runtime/failure.ts'
import type { EffectData, SettledFailure } from '../../../events/effect.ts'
import { type CallOutcome, callKey } from '../../rpc/batch.ts'
import { type Call, maxBatch } from '../../rpc/calls.ts'
import type { InputOf } from '../drive.ts'
import { type SendPorts } from '../http.ts'
import { type ShownChains, noteGenesis } from '../../rpc/shownChains.ts'
import type { Draft } from '../../../runtime/core/draft.ts'
import type { Drive } from '../../../runtime/host/driver.ts'
import { coreLost, faultOf } from './requests.ts'
import { type PoolSetting, postCalls, settledFault } from './postCalls.ts'
import { createSweep } from './sweep.ts'

type Ask = InputOf<'rpc.asked'>['asks'][number]

const genesisCall: Call = { method: 'getGenesisHash', params: [] }

/** How calls are made: `only` names the one endpoint that may answer. */
export type CallOptions = Pick<Ask, 'only' | 'retries' | 'deadlineMs'>

/** One chain's endpoints. */
export type Pool = {
  /** the chains that its endpoints show; `wanted` goes to the core with the next calls */
  readonly chains: ShownChains
  /** One call: it joins others of its turn, and may share the answer of an equal one under way. */
  call(call: Call, options?: CallOptions): Promise<CallOutcome>
  /** Calls that one endpoint answers in one request, never by an older answer. @returns their outcomes, in order */
  together(calls: readonly Call[], options?: CallOptions): Promise<CallOutcome[]>
  /** A call that may have an effect: alone, and once. */
  once(call: Call): Promise<CallOutcome>
}

type Waiting = { call: Call; done: (outcome: CallOutcome) => void }
/** Calls of one turn that are asked alike. */
type Group = { place: Place; kind: Ask['kind']; options: CallOptions; calls: Waiting[] }
/** A pool as this side knows it. */
type Place = PoolSetting & { chains: ShownChains }
/** A call under way, with the outcomes of its attempts. */
type PendingCall = Waiting & { place: Place; key: string | undefined; attempts: Map<number, CallOutcome>; isOld?: true }

type PoolPorts = Omit<SendPorts, 'timeoutMs'> & {
  /** Hands an input to the deciders. @throws Fault when they take it not */
  take(input: Draft): void
  /** the first number of a call, default 0 */
  first?: number
  /** replaces the deadline of an attempt, for tests, ms */
  timeoutMs?: number
}

export type Pools = { pool(setting: PoolSetting): Pool; drivers: { [type: string]: Drive }; end(fault: Fault): void }

/** One function, because numbers, keys and calls under way are one state. */
export function createPools({ take, first: firstCall = 0, ...ports }: PoolPorts): Pools {
  const places = new Map<string, Place>()
  const pending = new Map<number, PendingCall>()
  /** the first call under way of those that are equal */
  const known = new Map<string, number>()
  let groups: Group[] = []
  /** Numbers begin anew when no call is under way, so that equal calls look equal in a log. */
  let nextCall = firstCall
  let over: Fault | undefined
  const sweep = createSweep(pending, call => end(call, { fault: coreLost(), isOfRequest: true }))

  function end(call: number, outcome: CallOutcome): void {
    const found = pending.get(call)
    if (!found) return
    pending.delete(call)
    if (found.key !== undefined && known.get(found.key) === call) known.delete(found.key)
    if (pending.size === 0) {
      nextCall = firstCall
      sweep.rest()
    }
    found.done(outcome)
  }

  /** Numbers the calls of a group. @returns the core's question */
  function number({ place, kind, options, calls }: Group): Ask {
    const first = nextCall
    const methods: { method: string; count: number }[] = []
    const same: { call: number; as: number }[] = []
    for (const { call, done } of calls) {
      const id = nextCall++
      const last = methods.at(-1)
      if (last?.method === call.method) last.count += 1
      else methods.push({ method: call.method, count: 1 })
      const key = kind === 'single' ? `${place.name} ${options.only ?? ''} ${callKey(call)}` : undefined
      const as = key === undefined ? undefined : known.get(key)
      if (as !== undefined) same.push({ call: id, as })
      else if (key !== undefined) known.set(key, id)
      pending.set(id, { call, done, place, key, attempts: new Map() })
    }
    const { name, urls, waitMs, most, chains } = place
    const { wanted } = chains
    return {
      pool: name,
      endpoints: urls.length,
      first,
      calls: methods,
      kind,
      ...options,
      ...(same.length > 0 && { same }),
      ...(waitMs !== undefined && { waitMs }),
      ...(most !== undefined && { most }),
      ...(urls.length > 1 && wanted !== undefined && { wanted }),
    }
  }

  function flush(turn: readonly Group[]): void {
    if (over) {
      const fault = over
      for (const { calls } of turn) for (const { done } of calls) done({ fault, isOfRequest: true })
      return
    }
    const asks = turn.map(number)
    sweep.begin()
    try {
      take({ type: 'rpc.asked', data: { asks } })
    } catch (cause) {
      const fault = faultOf(cause)
      for (const { first, calls } of asks) {
        const count = calls.reduce((sum, one) => sum + one.count, 0)
        for (let call = first; call < first + count; call += 1) end(call, { fault, isOfRequest: true })
      }
    }
  }

  /**
   * Drivers begin at different depths of promises: those of one turn of the event loop go to the core as one input. Calls beyond
   * one full request wait for the next turn, so that no turn is long.
   */
  function flushTurn(): void {
    const turn: Group[] = []
    const later: Group[] = []
    let room = maxBatch
    for (const group of groups) {
      const { calls } = group
      const now = group.kind === 'single' ? Math.min(room, calls.length) : calls.length
      if (now > 0) turn.push(now === calls.length ? group : { ...group, calls: calls.slice(0, now) })
      if (now < calls.length) later.push({ ...group, calls: calls.slice(now) })
      if (group.kind === 'single') room -= now
    }
    groups = later
    if (later.length > 0) setTimeout(flushTurn)
    flush(turn)
  }

  /** Calls that join no others do not wait for the turn's end, only for those that begin with them. */
  function flushApart(): void {
    const apart = groups.filter(({ kind }) => kind !== 'single')
    groups = groups.filter(({ kind }) => kind === 'single')
    flush(apart)
  }

  function ask(place: Place, kind: Ask['kind'], calls: readonly Call[], options: CallOptions): Promise<CallOutcome>[] {
    const { only, retries, deadlineMs } = options
    const isAlike = (one: Group) =>
      one.place === place &&
      one.kind === 'single' &&
      one.options.only === only &&
      one.options.retries === retries &&
      one.options.deadlineMs === deadlineMs
    let group = kind === 'single' ? groups.find(isAlike) : undefined
    if (!group) {
      if (!groups.some(one => (one.kind === 'single') === (kind === 'single'))) {
        if (kind === 'single') setTimeout(flushTurn)
        else queueMicrotask(flushApart)
      }
      group = { place, kind, options, calls: [] }
      groups.push(group)
    }
    const { calls: waiting } = group
    return calls.map(call => new Promise<CallOutcome>(done => void waiting.push({ call, done })))
  }

  const drivers: { [type: string]: Drive } = {
    'http.post': async ({ data }, answer) => {
      const { pool, endpoint, calls, attempt, timeoutMs } = data as EffectData['http.post']
      const place = places.get(pool)
      if (!place) return
      const under = calls.flatMap(call => pending.get(call) ?? [])
      const limits = { ...ports, timeoutMs: ports.timeoutMs ?? timeoutMs }
      const asked = calls.length === 0 ? [genesisCall] : under.map(({ call }) => call)
      const { outcomes, input } = await postCalls(place, endpoint, asked, limits)
      const { genesis } = input.data as Partial<InputOf<'http.answered'>>
      if (genesis !== undefined) noteGenesis(place.chains, endpoint, genesis)
      for (const [at, { attempts }] of under.entries()) attempts.set(attempt, outcomes[at] ?? { fault: coreLost() })
      answer(input)
    },
    'rpc.settle': async ({ data }) => {
      const { calls, same = [] } = data as EffectData['rpc.settle']
      const by = data as { attempt?: number; failure?: SettledFailure }
      const outcomeOf = (call: number): CallOutcome => {
        const found = pending.get(call)
        const told = by.attempt === undefined ? undefined : found?.attempts.get(by.attempt)
        return told ?? { fault: settledFault(found?.place, by.failure), isOfRequest: true }
      }
      // Callers go on in later turns: all numbers are free before the first of them asks again
      const sharing = same.map(({ call, as }) => ({ call, outcome: outcomeOf(as) }))
      for (const call of calls) end(call, outcomeOf(call))
      for (const { call, outcome } of sharing) end(call, outcome)
    },
  }

  return {
    pool(setting) {
      // The core knows a pool by its name
      const name = places.has(setting.name) ? `${setting.name}.${places.size}` : setting.name
      const place = { ...setting, name, chains: { endpoints: setting.urls.map(() => ({})) } }
      places.set(name, place)
      const one = (kind: Ask['kind'], call: Call, options: CallOptions = {}) =>
        ask(place, kind, [call], options)[0] ?? Promise.resolve({ fault: coreLost() })
      return {
        chains: place.chains,
        call: (call, options) => one('single', call, options),
        together: (calls, options = {}) => Promise.all(ask(place, 'together', calls, options)),
        once: call => one('once', call),
      }
    },
    drivers,
    end(fault) {
      over = fault
      for (const call of pending.keys()) end(call, { fault, isOfRequest: true })
    },
  }
}
