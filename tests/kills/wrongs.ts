/**
 * The cost of a kill: compares the next life's recording with all earlier observations. Pure except for the hash of the
 * trailer.
 */
import { isDeepStrictEqual } from 'node:util'
import { foldCoreFact } from '../../src/events/coreFolds.ts'
import { emptyCoreModel } from '../../src/events/emptyModel.ts'
import { toFailure } from '../../src/runtime/failure.ts'
import type { FactRecord, InputRecord, LogRecord, PageRecord } from '../../src/runtime/log/record.ts'
import type { Recorded } from '../../src/runtime/recording/recording.ts'
import { readRecording } from '../../src/events/recording/readRecording.ts'
import { differenceReport } from '../../src/runtime/replay/verdict.ts'
import { deciders } from '../../src/worker/deciders/index.ts'
import { sha256Hex } from '../../src/worker/drivers/digest.ts'
import { reexecute } from '../../src/worker/replay/reexecute.ts'
import type { Seen } from './seen.ts'

/** Numbers of acknowledged and of lost records. */
export type Verdict = { acknowledged: number; lost: number; wrongs: string[]; facts: FactRecord[] }

/**
 * @param recording text returned by a life: whole log and trailer
 * @param seen all observations of this log, of which the first `before` precede the request for the recording
 */
export async function verdictOn(recording: string, seen: readonly Seen[], before: number): Promise<Verdict> {
  const settled = seen.slice(0, before).filter(isAcknowledgement)
  let records: Recorded[]
  try {
    const read = await readRecording(recording, sha256Hex)
    records = read.records
    if (!read.complete) throw new Error(`the recording ends at line ${read.truncatedAt}`)
  } catch (cause) {
    const { length } = settled
    return { acknowledged: length, lost: length, wrongs: [`unreadable: ${toFailure(cause).message}`], facts: [] }
  }
  const log = indexed(records.map(({ record }) => record))
  const missing = settled.flatMap(one => missingOf(log, one, seen))
  const wrongs = [
    ...missing,
    ...pageLanes(log.pages),
    ...lives(log.inputs),
    ...livesAgain(seen),
    ...releases(log.facts, seen),
    ...foldOf(log.facts, seen.slice(0, before)),
    ...reexecution(records),
  ]
  return { acknowledged: settled.length, lost: missing.length, wrongs, facts: log.facts }
}

type Acknowledgement = Extract<Seen, { saw: 'command' | 'answer' | 'pageFact' }>
type Log = { inputs: InputRecord[]; facts: FactRecord[]; pages: PageRecord[]; times: Map<string, number> }

function isAcknowledgement(one: Seen): one is Acknowledgement {
  return one.saw === 'command' || one.saw === 'answer' || one.saw === 'pageFact'
}

function indexed(records: readonly LogRecord[]): Log {
  const log: Log = { inputs: [], facts: [], pages: [], times: new Map() }
  const count = (key: string) => log.times.set(key, (log.times.get(key) ?? 0) + 1)
  for (const record of records) {
    if (record.k === 'f') log.facts.push(record)
    if (record.k === 'p') {
      log.pages.push(record)
      count(`p ${record.tab} ${record.p} ${record.type}`)
    }
    if (record.k === 'i') {
      log.inputs.push(record)
      if (record.ref !== undefined) count(`c ${record.ref} ${record.type}`)
      if (record.to !== undefined) count(`a ${record.to} ${record.type}`)
    }
  }
  return log
}

/** A page repeats an answer that was not acknowledged: then the log may hold it as often. */
function missingOf({ times }: Log, one: Acknowledgement, seen: readonly Seen[]): string[] {
  const at = (key: string) => times.get(`${key} ${one.type}`) ?? 0
  if (one.saw === 'command') return onceOf(`command ${one.type} ${one.ref}`, at(`c ${one.ref}`), 1)
  if (one.saw === 'pageFact')
    return onceOf(`page fact ${one.type} ${one.p} of ${one.tab}`, at(`p ${one.tab} ${one.p}`), 1)
  if (one.type === 'wallet.changed') return []
  const offered = seen.filter(other => other.saw === 'offered' && other.effectId === one.effectId).length
  return onceOf(`answer ${one.type} to ${one.effectId}`, at(`a ${one.effectId}`), offered)
}

function onceOf(what: string, times: number, most: number): string[] {
  if (times >= 1 && times <= most) return []
  return [`${what} was acknowledged and stands in the log ${times} times`]
}

/** Reading the recording has verified that a tab's numbers have no gaps. */
function pageLanes(pages: readonly PageRecord[]): string[] {
  const first = new Map<string, number>()
  for (const { tab, p } of pages) if (!first.has(tab)) first.set(tab, p)
  return [...first].filter(([, p]) => p !== 1).map(([tab, p]) => `the page facts of ${tab} begin with ${p}`)
}

/** A life's number is unique: effects are named by it. */
function lives(inputs: readonly InputRecord[]): string[] {
  const numbers = inputs.filter(({ type }) => type === 'core.boot').map(({ data }) => Number(data.life))
  return numbers.flatMap((life, index) => {
    const before = numbers[index - 1] ?? 0
    return life > before ? [] : [`life ${life} began after life ${before}`]
  })
}

/** A life that was not persisted would repeat, and its effects with it. */
function livesAgain(seen: readonly Seen[]): string[] {
  let newest = 0
  let past = 0
  return seen.flatMap(one => {
    if (one.saw === 'killed') past = newest
    if (one.saw !== 'attached') return []
    newest = Math.max(newest, one.life)
    return one.life > past ? [] : [`life ${one.life} joined a page after life ${past} was killed`]
  })
}

/** No effect is released twice, no prompt repeats, and no prompt precedes its record. */
function releases(facts: readonly FactRecord[], seen: readonly Seen[]): string[] {
  const asked = new Set(facts.filter(({ type }) => type === 'order.asked').map(({ data }) => String(data.askId)))
  const accepted = facts.filter(({ type }) => type === 'order.accepted').map(({ data }) => String(data.orderKey))
  const agreed = new Set(accepted)
  const performed = seen.filter(one => one.saw === 'performed')
  const prompted = seen.filter(one => one.saw === 'prompted')
  return [
    ...repeated(performed.map(({ effectId }) => effectId)).map(id => `effect ${id} was handed out twice`),
    ...oftener(
      prompted.map(({ orderKey }) => orderKey),
      accepted,
    ).map(key => `order ${key} was asked about twice`),
    ...prompted
      .filter(({ orderKey }) => !agreed.has(orderKey))
      .map(({ orderKey }) => `order ${orderKey} was asked about, and the log does not know it`),
    ...performed
      .filter(({ type, effectId }) => type.startsWith('wallet.sign') && !asked.has(effectId))
      .map(({ effectId, type }) => `${type} ${effectId} was handed out before it was written down`),
  ]
}

/** A retry reuses its key, so a key is prompted at most once per order accepted under it. */
function oftener(asked: readonly string[], accepted: readonly string[]): string[] {
  const count = (names: readonly string[], name: string) => names.filter(one => one === name).length
  return [...new Set(asked)].filter(key => count(asked, key) > Math.max(1, count(accepted, key)))
}

function repeated(names: readonly string[]): string[] {
  return names.filter((name, index) => names.indexOf(name) !== index)
}

/** The model of the newest life equals the fold of its log. */
function foldOf(facts: readonly FactRecord[], seen: readonly Seen[]): string[] {
  const attached = seen.filter(one => one.saw === 'attached').at(-1)
  if (!attached) return []
  const model = emptyCoreModel()
  for (const fact of facts) if (fact.seq <= attached.seq) foldCoreFact(model, fact)
  const last = facts.at(-1)?.seq ?? 0
  if (last < attached.seq) return [`life ${attached.life} knew fact ${attached.seq}, its log ends with ${last}`]
  return isDeepStrictEqual(model, attached.model)
    ? []
    : [`the model that life ${attached.life} gave its page is not the fold of its log`]
}

function reexecution(records: readonly Recorded[]): string[] {
  try {
    const verdict = reexecute(records, deciders)
    return verdict.ok ? [] : [`it does not re-execute:\n${differenceReport(verdict.difference)}`]
  } catch (cause) {
    return [`it cannot be re-executed: ${toFailure(cause).message}`]
  }
}
