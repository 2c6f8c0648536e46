/**
 * Redacts a recording. With policy `tokens`, facts, effects and checkpoints are not translated: the core re-executes the
 * redacted inputs and writes them, so the redacted file re-executes identically.
 */
import { emptyCoreModel } from '../../events/emptyModel.ts'
import { encode } from '../../events/log/codec.ts'
import { Fault } from '../../runtime/failure.ts'
import { inputDefinitions } from '../../events/input.ts'
import { lineOf } from '../../events/log/lineOf.ts'
import type { CheckpointRecord, FactRecord, LogRecord, RowRecord } from '../../runtime/log/record.ts'
import { type Recorded, type Recording, type Sha256, writeRecording } from '../../runtime/recording/recording.ts'
import {
  type RedactedRecord,
  createRedactor,
  type Policy,
  redactionBy,
  type Redactor,
} from '../../events/recording/redact.ts'
import { isForLooking } from '../../events/recording/recordingKind.ts'
import { registryHash } from '../../events/schema/registryHash.ts'
import { checkpointLines, subjectHashes } from '../../events/checkpoint/snapshot.ts'
import { hashOfLines, type SubjectHashes } from '../../runtime/log/createSnapshots.ts'
import type { Decider } from '../core/context.ts'
import { type CoreMachine, createCore } from '../core/core.ts'
import { effectRecord } from '../../runtime/core/coreMachine.ts'
import { reexecute } from './reexecute.ts'
import { restoreCore } from './restoreCore.ts'
import { type Block, blockAt } from '../../runtime/replay/restoreMachine.ts'
import { transientDefinition } from '../core/transientShape.ts'

type Settings = { policy: Policy; key: string; build: string; deciders: readonly Decider[] }
type Written = Run & { redactor: Redactor; isExact: boolean }
/** `state`: of the model at the end, when the core of the recording's own build stands there. */
type Run = { lines: string[]; state?: SubjectHashes }

type Redacted = {
  text: string
  /** Number of records of unknown types, by type: their data was dropped. */
  dropped: Record<string, number>
  /** Whether decisions depend on the distance of near slots or heights, so that these are exact. */
  isExact: boolean
}

/**
 * @param settings `key` is random, for this file only, and not stored; `build` of the running core
 * @throws Fault `unsupported` when tokens are wanted and the recording does not re-execute, is for viewing only, or decides
 *   differently with other amounts and times
 */
export async function redactRecording(recording: Recording, settings: Settings, sha256: Sha256): Promise<Redacted> {
  const { policy } = settings
  const { header, records } = recording
  if (isForLooking(header) && policy === 'tokens')
    throw refused('its amounts are blanked already: it is for looking only')
  const { lines, state, redactor, isExact } =
    policy === 'view' ? lookedAt(records, redactorOf(recording, settings, false)) : executed(recording, settings)
  const startedAt = redactor.time(header.startedAt)
  const text = await writeRecording(
    { header: { ...header, startedAt, registryHash: registryHash(), redaction: redactionBy[policy] }, lines, state },
    sha256,
  )
  return { text, dropped: redactor.dropped, isExact }
}

function redactorOf(
  { records }: Recording,
  { key, policy }: { key: string; policy: Policy },
  isExact: boolean,
): Redactor {
  const all = records.map(({ record }) => record)
  return createRedactor(all, { key, policy, isExact, beside: all.flatMap(memoriesIn) })
}

/** The transient memory is redacted with the records, as it contains measures. */
function memoriesIn(record: LogRecord): RedactedRecord[] {
  return record.k === 'c' ? [{ definition: transientDefinition, data: memoryOf(record) }] : []
}

function memoryOf({ transient: { boot: _, ...memory } }: CheckpointRecord): Record<string, unknown> {
  return memory
}

/** Redacts line by line; a checkpoint's hash is computed over the new lines. */
function lookedAt(records: readonly Recorded[], redactor: Redactor): Written {
  const lines = records.map(({ record }, index) => {
    if (record.k !== 'c') return lineOf(redactor.record(record))
    const block = blockAt(records, index)
    const rows = block?.rows.map(one => lineOf(redactor.record(one))) ?? []
    return lineOf({ ...redactor.record(record), state: hashOfLines(rows) })
  })
  return { lines, redactor, isExact: false }
}

/** Re-executes with redacted inputs; distances of near slots and heights are changed unless decisions depend on them. */
function executed(recording: Recording, settings: Settings): Written {
  const { records, complete } = recording
  const { deciders, build } = settings
  const verdict = reexecute(records, deciders, { cut: !complete, build })
  if (!verdict.ok) {
    const { n, type } = verdict.difference
    throw refused(`from input ${n} (${type}) on this build does otherwise than what was recorded`)
  }
  for (const isExact of [false, true]) {
    const redactor = redactorOf(recording, settings, isExact)
    try {
      return { ...run(recording, redactor, settings), redactor, isExact }
    } catch (cause) {
      if (isExact || !(cause instanceof Fault)) throw cause
    }
  }
  throw refused('no stand-ins fit')
}

function run(
  { header, records, complete }: Recording,
  redactor: Redactor,
  { deciders, build }: { deciders: readonly Decider[]; build: string },
): Run {
  const lines: string[] = []
  let core = createCore(deciders, emptyCoreModel())
  let begun = false
  // Page facts may stand between an input and its results, and stay there
  let owed: { said: string; line: string }[] = []
  const last = records.map(({ record }) => record.k).lastIndexOf('i')
  const ended = (): Run => ({ lines, ...(header.coreBuild === build && { state: subjectHashes(core.model) }) })
  const settle = () => {
    if (owed.length > 0) throw refused(`its core would not say ${owed[0]?.said} of tokens`)
  }
  for (let index = 0; index < records.length; index += 1) {
    const record = records[index]?.record
    if (!record) break
    switch (record.k) {
      case 'p':
        lines.push(encode(redactor.record(record)))
        break
      case 'i': {
        settle()
        begun = true
        const input = redactor.record(record)
        const { facts, effects } = core.step(input)
        const ordered = effectRecord(input, effects)
        lines.push(encode(input))
        owed = facts.map(fact => ({ said: decisionOf(fact), line: encode(fact) }))
        if (ordered) owed.push({ said: String(ordered.types), line: encode(ordered) })
        if (complete || index !== last) break
        // A truncated log may lack the last input's results; they are written all the same
        lines.push(...owed.map(({ line }) => line), ...pagesAfter(records, index, redactor))
        return ended()
      }
      case 'f':
      case 'e': {
        const said = record.k === 'f' ? decisionOf(record) : String(record.types)
        const own = owed.shift()
        if (own?.said !== said) throw refused(`its core says otherwise than ${said} of tokens`)
        lines.push(own.line)
        break
      }
      case 'c': {
        settle()
        const block = blockAt(records, index)
        if (!block) return ended()
        if (begun && record.build === build) lines.push(...stated(core, { ...record, at: redactor.time(record.at) }))
        else {
          const fresh = redactedBlock(block, redactor)
          core = restoreCore(fresh, deciders)
          begun = true
          lines.push(lineOf(fresh.record), ...fresh.rows.map(lineOf))
        }
        index += record.rows
      }
    }
  }
  settle()
  return ended()
}

/** The decision without its values: a fact's type, with the code of its failure. */
function decisionOf({ type, data }: FactRecord): string {
  const why = data.failure as { code?: string } | undefined
  return why?.code === undefined ? type : `${type} (${why.code})`
}

function pagesAfter(records: readonly Recorded[], index: number, redactor: Redactor): string[] {
  return records.slice(index + 1).flatMap(({ record }) => (record.k === 'p' ? [encode(redactor.record(record))] : []))
}

/** This core's own checkpoint at that place. */
function stated(core: CoreMachine, { n, life, at, build, transient }: CheckpointRecord): string[] {
  const memory = transient.boot === undefined ? {} : core.memory()
  return checkpointLines({ n, seq: core.seq, life, at, build, transient: memory }, core.model)
}

function redactedBlock({ record, number, rows: written }: Block, redactor: Redactor): Block {
  const rows: RowRecord[] = written.map(redactor.record)
  const { boot } = record.transient
  const transient = redactor.data(transientDefinition, memoryOf(record))
  if (boot !== undefined) transient.boot = redactor.data(inputDefinitions['core.boot'], boot as Record<string, unknown>)
  return {
    number,
    rows,
    record: { ...redactor.record(record), transient, state: hashOfLines(rows.map(lineOf)) },
  }
}

function refused(why: string): Fault {
  return new Fault('unsupported', `replacing personal values by tokens expected a recording that re-executes: ${why}`)
}
