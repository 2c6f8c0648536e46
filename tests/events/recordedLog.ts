/** A small log made by the real core, and ways to write and read it. */
import type { CoreModel } from '../../src/events/app.ts'
import { emptyCoreModel } from '../../src/events/emptyModel.ts'
import { encode, versionOf } from '../../src/events/log/codec.ts'
import type { InputRecord, PageRecord } from '../../src/runtime/log/record.ts'
import { type Recorded, writeRecording } from '../../src/runtime/recording/recording.ts'
import type { RecordingHeader } from '../../src/runtime/recording/recordingHeader.ts'
import { sha256Hex } from '../../src/worker/drivers/digest.ts'
import type { Decider } from '../../src/worker/core/context.ts'
import { createCore } from '../../src/worker/core/core.ts'
import { effectRecord } from '../../src/runtime/core/coreMachine.ts'
import { deciders } from '../../src/worker/deciders/index.ts'

export const header: RecordingHeader = {
  format: 'mai-recording',
  version: 2,
  logId: 'log-1',
  appBuild: 'app-build',
  coreBuild: 'core-build',
  registryHash: '00000000',
  startedAt: 1_800_000_000_000,
  redaction: 'plain',
}

export const account = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin'
const wallet = { walletId: 'w1', name: 'Lantern' }

type Said = { type: string; data: Record<string, unknown>; to?: string; tab?: string; ref?: string }

/** The boot of one life. */
export function boot(life: number, cause: 'start' | 'lost' = 'start'): Said {
  return {
    type: 'core.boot',
    data: {
      life,
      build: 'core-build',
      seed: `seed-${life}`,
      cause,
      storage: 'durable',
      language: 'en',
      timeZone: 'UTC',
      online: true,
      projectId: 'p1',
      relayUrl: 'wss://relay.example',
      relays: [],
      genesisHash: '',
      featured: [],
      metadata: { name: 'MAI', description: '', url: 'https://mai.example', icons: [] },
    },
  }
}

/** Writes a log: inputs go through the core, page facts are written unchanged. */
export function createLog(by: readonly Decider[] = deciders) {
  const core = createCore(by, emptyCoreModel())
  const lines: string[] = []
  const pages = new Map<string, number>()
  let n = 0
  let at = header.startedAt
  return {
    lines,
    core,
    /** Takes one input, a second after the one before. @returns the ids of the effects it ordered, by type */
    input(said: Said): Record<string, string> {
      n += 1
      at += 1000
      const { type, data, to, tab, ref } = said
      const input: InputRecord = { k: 'i', n, at, type, v: versionOf('i', type), data }
      if (to !== undefined) input.to = to
      if (tab !== undefined) input.tab = tab
      if (ref !== undefined) input.ref = ref
      const { facts, effects } = core.step(input)
      lines.push(encode(input), ...facts.map(encode))
      const ordered = effectRecord(input, effects)
      if (ordered) lines.push(encode(ordered))
      return Object.fromEntries(effects.map(effect => [effect.type, effect.id]))
    },
    /** @param options `at`: ms since the log's beginning; absent: now */
    page(
      type: string,
      data: Record<string, unknown>,
      { tab = 't1', life = 1, after = core.seq, at: since = at + 10 - header.startedAt } = {},
    ) {
      const p = (pages.get(tab) ?? 0) + 1
      pages.set(tab, p)
      const record: PageRecord = {
        k: 'p',
        p,
        life,
        after,
        tab,
        at: header.startedAt + since,
        type,
        v: versionOf('p', type),
        data,
      }
      lines.push(encode(record))
    },
  }
}

/** Boot, a page joins, a wallet is chosen on the screen and connects; the core dies and begins again. */
export const connectedLog = (): string[] => madeConnected().lines

/** The core's model behind that log. */
export const modelOfLog = (): CoreModel => madeConnected().core.model

function madeConnected() {
  const log = createLog()
  log.page('tab.opened', { width: 1280, theme: 'light', language: 'en' }, { life: 0, after: 0 })
  log.input(boot(1))
  log.input({ type: 'page.attached', data: { visible: true, asking: [], answered: [] }, tab: 't1' })
  log.page('tab.attached', { life: 1 })
  log.page('screen.opened', { screen: { name: 'Connect' } })
  const { 'wallet.connect': asked = '' } = log.input({
    type: 'connection.connectInstalled',
    data: { walletKey: 'k1', wallet },
    tab: 't1',
    ref: 'c1',
  })
  log.page('screen.shown', { screen: { name: 'ConnectingInstalled', wallet, walletKey: 'k1' } })
  log.input({
    type: 'wallet.connected',
    data: { accounts: [account], features: ['signTransaction'] },
    to: asked,
    tab: 't1',
  })
  log.page('screen.closed', {})
  log.input({ type: 'page.online', data: { online: false } })
  log.input({ type: 'page.online', data: { online: true } })
  log.input(boot(2, 'lost'))
  log.input({ type: 'page.attached', data: { visible: true, asking: [], answered: [] }, tab: 't1' })
  return log
}

/** The lines as a whole recording's text. */
export async function recordingOf(lines: readonly string[]): Promise<string> {
  return writeRecording({ header, lines }, sha256Hex)
}

export function parsed(lines: readonly string[]): Recorded[] {
  return lines.map((line, index) => ({ record: JSON.parse(line), line, number: index + 2 }))
}

/** A copy with `remove` lines at `index` replaced by others. */
export function spliced(lines: readonly string[], index: number, remove: number, ...insert: string[]): string[] {
  return [...lines.slice(0, index), ...insert, ...lines.slice(index + remove)]
}
