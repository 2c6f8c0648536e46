/** Invariants after every step of a simulated world. Each violation is one sentence; the first one is the failure of a seed. */
import { firstDifference } from '../../src/runtime/replay/firstDifference.ts'
import { checkpointLines, modelOf, snapshots } from '../../src/events/checkpoint/snapshot.ts'
import { decode } from '../../src/events/log/decode.ts'
import { encode } from '../../src/events/log/codec.ts'
import { type Kept, keptEvery } from './checkpoints.ts'
import { createMoneyWatch } from './money.ts'
import { createTimeWatch } from './overTime.ts'
import { lineOf } from '../../src/events/log/lineOf.ts'
import type { CoreModel } from '../../src/events/app.ts'
import type { EffectType } from '../../src/events/effect.ts'
import type { Effect, FactRecord, RowRecord } from '../../src/runtime/log/record.ts'
import { missed, withoutEnd } from './consequences.ts'
import type { Coverage } from './coverage.ts'
import { createFamilies } from './families.ts'
import { createLinkWatch, endless } from './linkWatch.ts'
import { leftBehind, plantedThrow } from './throwing.ts'
import type { Stepped, Watch } from './watch.ts'

/** Irrevocable effects: the facts that allow them are strictly on disk first. */
const irrevocable: ReadonlySet<EffectType> = new Set<EffectType>([
  'wallet.signTransaction',
  'wallet.signAndSendTransaction',
  'chain.submit',
  'relay.acknowledge',
  'vault.forget',
  'bytes.forget',
])

/** Effects that no crash may forget. */
const counted: ReadonlySet<EffectType> = new Set<EffectType>(['relay.open', 'relay.propose'])

/** Methods of pages that move no money. */
const saysOnly: ReadonlySet<string> = new Set(['personal_sign', 'solana_getAccounts'])

/** Effects that move money without any message's request. */
const paying: ReadonlySet<EffectType> = new Set<EffectType>([
  'wallet.signTransaction',
  'wallet.signAndSendTransaction',
  'chain.submit',
])

/** @returns the durability an effect must wait for; a message without a request, or for words alone, moves no money */
function dueAfter({ type, data }: { type: EffectType; data: object }, model: CoreModel): Effect['after'] {
  if ((type === 'relay.publish' || type === 'link.send') && 'callId' in data) {
    const purpose = model.outbox[String(data.callId)]?.purpose ?? ''
    const request = model.request[purpose.replace(/^request:/, '')]
    if (request && saysOnly.has(request.method)) return undefined
    return request ? 'stored' : 'written'
  }
  if (counted.has(type)) return 'written'
  return irrevocable.has(type) ? 'stored' : undefined
}

const most = { effectsAStep: 80, factsAStep: 60, modelCharacters: 400_000, memoryCharacters: 40_000 }
const measuredEvery = 128
/** Lines of a type that are read back: the first ones of a world, then one in so many. */
const readBack = { first: 4, thenEvery: 8 }

/** Tag of the only message allowed after a session's end. */
const deleteTag = 1112

/** @param keep receives each checkpoint */
export function createInvariants({
  seen,
  tell,
  keep,
}: {
  seen: Coverage
  tell(what: string): void
  keep(kept: Kept): void
}): Watch {
  let families = createFamilies(tell)
  /** ended sessions, and the side that ended them */
  let endedTopics = new Map<string, string>()
  let connections = new Set<string>()
  /** connections that have ended */
  const former = new Set<string>()
  let attempts = new Set<string>()
  let seq = 0
  let n = 0
  let life = 0
  let count = 0
  let begun = 0
  const looksAtMoney = createMoneyWatch()
  const looksAtTime = createTimeWatch()
  let looksAtLinks = createLinkWatch()
  /** genesis hash of the log's chain */
  let chain = ''
  let lastAt = 0
  const carriedIds = new Set<string>()
  /** durability each effect waits for */
  const dues = new Map<string, 'stored' | 'written'>()
  const prompts = new Map<string, number>()
  /** lines of each type so far */
  const lines = new Map<string, number>()

  function factIs(fact: FactRecord): void {
    const { type } = fact
    const data = fact.data as Record<string, string>
    if (fact.seq !== seq + 1) tell(`fact ${type} has number ${fact.seq} after ${seq}`)
    seq = fact.seq
    families.hears(type, data)
    const subject = type.slice(0, type.indexOf('.'))
    if (type === 'session.deleted') endedTopics.set(data.sessionTopic ?? '', data.by ?? '')
    if (subject === 'connection') connectionIs(type, data)
    if (type === 'core.faulted' && data.message !== plantedThrow) tell(`the core faulted: ${data.message}`)
  }

  function connectionIs(type: string, { connectionId, attemptId }: Record<string, string>): void {
    if (type === 'connection.recalled') return
    if (type === 'connection.requested') return void attempts.add(attemptId ?? '')
    if (type === 'connection.made') {
      connections.add(connectionId ?? '')
      return
    }
    if (attemptId !== undefined) {
      if (!attempts.has(attemptId)) tell(`${type} speaks of the attempt ${attemptId}, which nobody made`)
      return
    }
    if (type === 'connection.forgotten') {
      if (!former.has(connectionId ?? '')) tell(`${type} speaks of ${connectionId}, which never ended`)
      return
    }
    if (!connections.has(connectionId ?? '')) tell(`${type} speaks of ${connectionId}, which is not connected`)
    if (type !== 'connection.ended') return
    connections.delete(connectionId ?? '')
    former.add(connectionId ?? '')
  }

  /** After a session's end only our own delete may go out over it. */
  function saidAfterEnd({ type, data }: { type: string; data: Record<string, unknown> }): string | undefined {
    if (type !== 'relay.publish' && type !== 'vault.seal') return undefined
    const by = endedTopics.get(String(data.topic))
    if (by === undefined) return undefined
    const { method } = (data.payload ?? {}) as { method?: string }
    const isDelete = data.tag === deleteTag || method === 'wc_sessionDelete'
    return isDelete && by === 'person' ? undefined : `${type} over a session that ended by ${by}`
  }

  function survives(record: Parameters<typeof lineOf>[0]): void {
    const name = `${record.k} ${(record as FactRecord).type}`
    const written = (lines.get(name) ?? 0) + 1
    lines.set(name, written)
    if (written > readBack.first && written % readBack.thenEvery !== 0) return
    const line = lineOf(record)
    try {
      const read = decode(line)
      if (lineOf(read) !== line) tell(`${line.slice(0, 120)} reads back as another line`)
      // Folding from memory or from disk must give the same model, including the order of keys
      if (read.k === 'f' && JSON.stringify(read.data) !== JSON.stringify((record as FactRecord).data))
        tell(`the fields of ${read.type} are in another order than in its definition`)
    } catch (cause) {
      tell(`${(record as FactRecord).type} does not fit its definition: ${(cause as Error).message}`)
    }
  }

  return {
    begins(facts, number, lastN) {
      families = createFamilies(tell)
      looksAtLinks = createLinkWatch()
      endedTopics = new Map()
      connections = new Set()
      attempts = new Set()
      seq = 0
      n = lastN
      life = number
      lastAt = 0
      begun += 1
      for (const fact of facts) factIs(fact)
    },
    stepped(step: Stepped) {
      const { input, facts, effects, model } = step
      count += 1
      const gap = input.at - lastAt
      if (lastAt !== 0 && input.type !== 'clock.jumped' && (gap < 0 || gap > 60_000))
        tell(`${input.type} comes ${gap} ms after the input before it, and no jump was told`)
      lastAt = input.at
      seen.input(input)
      if (input.n !== n + 1) tell(`the input ${input.type} has number ${input.n} after ${n}`)
      n = input.n
      survives(input)
      for (const fact of facts) {
        seen.fact(fact.type)
        if (fact.n !== input.n) tell(`${fact.type} names input ${fact.n} as its cause, not ${input.n}`)
        if (fact.at !== input.at) tell(`${fact.type} has another time than its input`)
        if (fact.ref !== input.ref) tell(`${fact.type} lost the command it follows`)
        survives(fact)
        factIs(fact)
      }
      for (const [at, effect] of effects.entries()) {
        seen.effect(effect.type)
        if (effect.id !== `e${life}.${input.n}.${at}`) tell(`${effect.type} has the id ${effect.id}`)
        const due = dueAfter(effect, model)
        if (due !== undefined) dues.set(`${begun} ${effect.id}`, due)
        if (due !== undefined && effect.after !== due && effect.after !== 'stored')
          tell(`${effect.type} does not wait for the disk`)
        const silenced = saidAfterEnd(effect)
        if (silenced !== undefined) tell(silenced)
      }
      if (effects.length > most.effectsAStep) tell(`${effects.length} effects at ${input.type}`)
      if (facts.length > most.factsAStep) tell(`${facts.length} facts at ${input.type}`)
      if (input.type === 'core.boot') chain = (input.data as { genesisHash: string }).genesisHash
      const overTime = looksAtTime(step)
      const without = leftBehind(step) ?? missed(step, chain) ?? looksAtMoney(step) ?? looksAtLinks(step) ?? overTime
      if (without !== undefined) tell(`${input.type}: ${without}`)
      if (count % keptEvery === 0) {
        const stands = { n, seq, life, at: input.at, build: model.core.build, transient: step.memory() }
        keep({ n, input: encode(input), lines: checkpointLines(stands, model) })
      }
      if (count % measuredEvery === 0) {
        const size = JSON.stringify(model).length
        if (size > most.modelCharacters) tell(`the model has grown to ${size} characters`)
        const scratch = JSON.stringify(step.memory()).length
        if (scratch > most.memoryCharacters) tell(`the scratch memory has grown to ${scratch} characters`)
        const again = modelOf(snapshots.snapshot(model).map(fact => decode(lineOf(fact)) as RowRecord))
        const differs = firstDifference(JSON.stringify(model), JSON.stringify(again))?.path
        // Fields follow their definition; tables that are iterated must preserve their order
        if (differs !== undefined && differs !== 'order of keys')
          tell(`its snapshot restores another model: ${differs}`)
        for (const part of ['order', 'request', 'session', 'outbox'] as const)
          if (Object.keys(again[part]).join() !== Object.keys(model[part]).join())
            tell(`restored from its snapshot the ${part}s stand in another order`)
      }
    },
    rested(model, waits) {
      const waiting = withoutEnd(model, waits) ?? endless(model, waits)
      if (waiting !== undefined) tell(waiting)
    },
    carried({ id, type }, onDisk) {
      if (carriedIds.has(`${begun} ${id}`)) tell(`${type} ${id} is carried out a second time`)
      carriedIds.add(`${begun} ${id}`)
      const due = dues.get(`${begun} ${id}`)
      const isMoney = due === 'stored' && (paying.has(type) || type === 'relay.publish' || type === 'link.send')
      if (isMoney && !onDisk.durable) tell(`${type} ${id} asks for money while the log is not durable`)
      // On a lost disk all that moves no money goes on, as in a log in memory
      if (due !== undefined && onDisk.durable && Number(id.split('.')[1]) > onDisk[due])
        tell(`${type} ${id} is carried out before its input is ${due}`)
    },
    prompted(order) {
      const times = (prompts.get(order) ?? 0) + 1
      prompts.set(order, times)
      if (times > 1) tell(`the wallet is asked ${times} times about the order ${order}`)
    },
    acknowledged(of) {
      if (of > n) tell(`input ${of} was acknowledged before it was taken`)
    },
    wrong: tell,
  }
}
