/** A worker with the product's core, inbox and outbox, and a source of facts at a chosen rate. */
import { expose } from 'comlink'
import { emptyCoreModel } from '../../../src/events/emptyModel.ts'
import type { FactRecord } from '../../../src/runtime/log/record.ts'
import { createCore } from '../../../src/worker/core/core.ts'
import { deciders } from '../../../src/worker/deciders/index.ts'
import { memoryBytes } from '../../../src/worker/drivers/bytes.ts'
import { createInbox } from '../../../src/worker/host/inbox.ts'
import { memoryJournal } from '../../../src/runtime/journal/memoryJournal.ts'
import { createPages } from '../../../src/worker/host/pages.ts'
import type { FactWorker, Flood } from './api.ts'

const tab = 't-bench'
const accounts = 50
const tickMs = 2
const rawMs = 16

function createFactWorker(): FactWorker {
  const core = createCore(deciders, emptyCoreModel())
  const left = () => console.error('the page fell behind and was left')
  const pages = createPages({ bytes: memoryBytes(), left })
  let sent = 0
  let callback: ((fact: FactRecord) => void) | undefined
  // The core's facts and those of the source share one sequence
  const numbered = (fact: FactRecord): FactRecord => ({ ...fact, seq: ++sent })

  const inbox = createInbox({
    core,
    journal: memoryJournal(),
    life: 1,
    now: Date.now,
    broke: cause => console.error(cause),
    stepped: ({ input, facts }) => pages.publish(facts.map(numbered), input.ref !== undefined),
  })
  inbox.take({ type: 'core.boot', data: boot })

  function deliver(facts: FactRecord[], manner: Flood['manner'], waiting: FactRecord[]): void {
    if (manner === 'batches') pages.publish(facts, false)
    else if (manner === 'callbacks') for (const fact of facts) callback?.(fact)
    else waiting.push(...facts)
  }

  return {
    async join(port, one) {
      callback = one
      pages.join(tab, port)
      return { life: 1, seq: sent, model: core.model }
    },
    flood({ manner, perSecond, count }) {
      return new Promise(resolve => {
        const start = performance.now()
        let made = 0
        let rawAt = start
        let waiting: FactRecord[] = []
        const timer = setInterval(() => {
          const now = performance.now()
          const due = Math.min(count, Math.floor(((now - start) * perSecond) / 1000))
          const facts: FactRecord[] = []
          while (made < due) facts.push(numbered(factOf(made++)))
          if (facts.length > 0) deliver(facts, manner, waiting)
          if (waiting.length > 0 && (now - rawAt >= rawMs || made === count)) {
            postMessage(waiting)
            waiting = []
            rawAt = now
          }
          if (made < count) return
          clearInterval(timer)
          resolve()
        }, tickMs)
      })
    },
    async search(text, ref) {
      inbox.take({ type: 'listing.read', data: { page: 1, search: text }, ref, tab })
    },
  }
}

/** Three of four are balances, the fourth is of the relay. */
function factOf(index: number): FactRecord {
  const at = 1_800_000_000_000 + index
  const envelope = { k: 'f', seq: 0, n: 1, at, v: 1 } as const
  if (index % 4 === 3) return { ...envelope, type: 'relay.connecting', data: { attempt: index } }
  const data = {
    account: `account-${index % accounts}`,
    slot: index,
    amounts: { SOL: String(index), USDC: '375000000' },
  }
  return { ...envelope, type: 'balance.read', data }
}

const boot = {
  life: 1,
  build: 'bench',
  seed: 'bench',
  cause: 'start',
  storage: 'durable',
  language: 'en',
  timeZone: 'UTC',
  online: true,
  projectId: '',
  relayUrl: '',
  relays: [],
  genesisHash: '',
  featured: [],
  metadata: { name: 'bench', description: '', url: 'http://127.0.0.1', icons: [] },
}

expose(createFactWorker())
addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  if (typeof data === 'object' && data !== null && 'echo' in data) postMessage(data)
})
