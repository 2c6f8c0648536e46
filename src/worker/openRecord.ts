/**
 * Opens what this device keeps of a chain: the log and what lies beside it. When that cannot be read or written whole, what
 * could be read goes on in memory, where nothing that costs money may begin, and the disk is left as it is.
 */
import { decodeOwn } from '../events/codec.ts'
import { toFailure } from '../events/failure.ts'
import type { FactRecord } from '../events/record.ts'
import { type BytesStore, memoryBytes, storedBytes } from './drivers/bytes.ts'
import { type KeyStore, keyStore, memoryKeys } from './drivers/keys.ts'
import { openLog } from './drivers/storage.ts'
import { emptyHead, type Head, type Journal, type LogStore, memoryJournal, openJournal } from './journal.ts'

export type OpenedRecord = {
  journal: Journal
  keys: KeyStore
  bytes: BytesStore
  /** Every fact of earlier lives, in order. */
  facts: FactRecord[]
  /** This life's number: on disk already, so no other life ever has it. */
  life: number
}

/**
 * @param genesisHash undefined when it could not even be read which chain this device knows
 * @param failed hears once when the log can no longer be written
 */
export async function openRecord(
  genesisHash: string | undefined,
  failed: (message: string) => void,
): Promise<OpenedRecord> {
  let log: LogStore | undefined
  // What fails before the record is open leads to memory at once
  let opened = false
  let known: { lines: string[]; head: Head } = { lines: [], head: emptyHead }
  try {
    if (genesisHash === undefined) throw new Error('the table of chains could not be read')
    log = await openLog(genesisHash)
    const journal = await openJournal(log, message => opened && failed(message))
    const head = journal.head()
    const read = readFacts(await journal.lines())
    known = read.whole
      ? { lines: read.lines, head }
      : { lines: read.lines, head: { ...head, n: read.n, seq: read.seq } }
    if (!read.whole)
      throw new Error(`the log expected fact ${read.seq + 1} after line ${read.lines.length}, got another`)
    const life = head.life + 1
    journal.append([], { life, n: head.n, seq: read.seq })
    await journal.flush('strict')
    opened = true
    return { journal, keys: keyStore(log), bytes: storedBytes(log), facts: read.facts, life }
  } catch (cause) {
    console.warn('this device keeps no record:', toFailure(cause).message)
    log?.close()
    const { facts } = readFacts(known.lines)
    const life = known.head.life + 1
    return { journal: memoryJournal(known), keys: memoryKeys(), bytes: memoryBytes(), facts, life }
  }
}

type Read = { facts: FactRecord[]; lines: string[]; n: number; seq: number; whole: boolean }

/** Reads the facts up to the first line that is not one; what is kept ends with a whole group. */
function readFacts(lines: string[]): Read {
  const facts: FactRecord[] = []
  let group = { line: 0, facts: 0, n: 0, seq: 0 }
  let n = 0
  let seq = 0
  for (const [index, line] of lines.entries()) {
    if (line.startsWith('{"k":"i"')) {
      group = { line: index, facts: facts.length, n, seq }
      n += 1
    } else if (line.startsWith('{"k":"f"')) {
      const fact = factIn(line)
      if (fact?.seq !== seq + 1 || fact.n !== n) {
        return {
          facts: facts.slice(0, group.facts),
          lines: lines.slice(0, group.line),
          n: group.n,
          seq: group.seq,
          whole: false,
        }
      }
      facts.push(fact)
      seq += 1
    }
  }
  return { facts, lines, n, seq, whole: true }
}

function factIn(line: string): FactRecord | undefined {
  try {
    return decodeOwn(line) as FactRecord
  } catch {
    return undefined
  }
}
