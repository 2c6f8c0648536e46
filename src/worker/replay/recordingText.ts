/** Recordings: the log as a file's text. A module of its own, as most visitors save none; it is loaded when idle. */
import { writeRecording } from '../../runtime/recording/recording.ts'
import { recordingKind } from '../../events/recording/recordingKind.ts'
import { registryHash } from '../../events/schema/registryHash.ts'
import type { SubjectHashes } from '../../runtime/log/createSnapshots.ts'
import { subjectHashes } from '../../events/checkpoint/snapshot.ts'
import type { SentPageFact } from '../../runtime/log/record.ts'
import type { CoreConfig } from '../../events/wire.ts'
import { sha256Hex } from '../drivers/digest.ts'
import { logOnDevice } from '../journal/chosenNetwork.ts'
import { openLog } from '../journal/storage.ts'
import type { CoreMachine } from '../core/core.ts'
import type { Journal } from '../../runtime/journal/journal.ts'
import { emptyHead } from '../../runtime/journal/head.ts'
import { pageLine } from '../host/pageLine.ts'
import { wholeLog } from '../../runtime/journal/retention.ts'

type Saving = { config: CoreConfig; genesisHash: string; now(): number }
type Log = Saving & { lines: readonly string[]; state?: SubjectHashes }

/** @param log its lines oldest first, followed by page facts it does not have yet */
async function recordingText({ config, genesisHash, lines, state, now }: Log): Promise<string> {
  const header = {
    format: recordingKind.format,
    version: 2 as const,
    logId: `log-${(await sha256Hex(genesisHash)).slice(0, 16)}`,
    appBuild: config.appBuild,
    coreBuild: config.coreBuild,
    registryHash: registryHash(),
    startedAt: Math.floor(now()),
    redaction: 'plain',
  }
  return writeRecording({ header, lines, state }, sha256Hex)
}

/** The recording of a running core as it stands now: inputs that come while its log is read are left out. */
export async function recordingOfCore({
  core,
  journal,
  tail,
  ...saving
}: Saving & {
  core: Pick<CoreMachine, 'model'>
  journal: Pick<Journal, 'head' | 'lines'>
  tail: readonly SentPageFact[]
}): Promise<string> {
  const { n } = journal.head()
  const state = subjectHashes(core.model)
  const lines = await journal.lines()
  const { kept, last } = upTo(n, lines)
  // Behind a damaged segment the log ends before the model
  const isWhole = last === n
  return recordingText({ ...saving, lines: [...kept, ...tail.map(pageLine)], ...(isWhole && { state }) })
}

/** @returns the lines without inputs after `n` and what they caused, and the number of the last input left */
function upTo(n: number, lines: readonly string[]): { kept: readonly string[]; last: number } {
  let end = lines.length
  for (let at = lines.length - 1; at >= 0; at--) {
    const number = Number(/^\{"k":"[ic]",(?:"format":\d+,)?"n":(\d+)/.exec(lines[at] ?? '')?.[1] ?? Number.NaN)
    if (number > n) end = at
    else if (number <= n) {
      const pages = lines.slice(end).filter(line => line.startsWith('{"k":"p"'))
      return { kept: end === lines.length ? lines : [...lines.slice(0, end), ...pages], last: number }
    }
  }
  return { kept: lines, last: 0 }
}

/** The recording of a tab without a core: the stored log, and the page facts not yet shipped. */
export async function keptRecording(
  config: CoreConfig,
  tail: readonly SentPageFact[],
  now: () => number,
): Promise<string> {
  const genesisHash = await logOnDevice(config).catch(() => '')
  const lines = await readLines(genesisHash).catch(() => [])
  return recordingText({ config, genesisHash, lines: [...lines, ...tail.map(pageLine)], now })
}

async function readLines(genesisHash: string): Promise<string[]> {
  const log = await openLog(genesisHash)
  try {
    return await wholeLog(log, emptyHead)
  } finally {
    log.close()
  }
}
