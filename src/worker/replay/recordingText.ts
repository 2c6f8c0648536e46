/** Recordings: the log as a file's text. A module of its own, as most visitors save none; it is loaded when idle. */
import { writeRecording } from '../../runtime/recording/recording.ts'
import { registryHash } from '../../events/schema/registryHash.ts'
import type { SentPageFact } from '../../runtime/log/record.ts'
import type { CoreConfig } from '../../events/wire.ts'
import { sha256Hex } from '../drivers/digest.ts'
import { openLog, rememberedChain } from '../journal/storage.ts'
import { emptyHead } from '../../runtime/journal/journal.ts'
import { pageLine } from '../host/pageLine.ts'
import { wholeLog } from '../../runtime/journal/retention.ts'

type Log = { config: CoreConfig; genesisHash: string; lines: readonly string[]; now(): number }

/** @param log its lines oldest first, followed by page facts it does not have yet */
export async function recordingText({ config, genesisHash, lines, now }: Log): Promise<string> {
  const header = {
    format: 'mai-recording' as const,
    version: 2 as const,
    logId: `log-${(await sha256Hex(genesisHash)).slice(0, 16)}`,
    appBuild: config.appBuild,
    coreBuild: config.coreBuild,
    registryHash: registryHash(),
    startedAt: Math.floor(now()),
    redaction: 'plain' as const,
  }
  return writeRecording({ header, lines: [...lines] }, sha256Hex)
}

/** The recording of a tab without a core: the stored log, and the page facts not yet shipped. */
export async function keptRecording(
  config: CoreConfig,
  tail: readonly SentPageFact[],
  now: () => number,
): Promise<string> {
  const genesisHash = (await rememberedChain(config.solanaRpcUrl).catch(() => undefined)) ?? ''
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
