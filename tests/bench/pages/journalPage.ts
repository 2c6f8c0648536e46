/** The journal on a real browser's disk, beside one row per record. */
import { foldCoreFact } from '../../../src/events/coreFolds.ts'
import { emptyCoreModel } from '../../../src/events/emptyModel.ts'
import { encode } from '../../../src/events/log/codec.ts'
import { checkpointLines } from '../../../src/events/checkpoint/snapshot.ts'
import { createCore } from '../../../src/worker/core/core.ts'
import { deciders } from '../../../src/worker/deciders/index.ts'
import { deleteDatabase, openDatabase } from '../../../src/runtime/journal/database.ts'
import { eraseLog } from '../../../src/worker/journal/storage.ts'
import { openRecord } from '../../../src/worker/journal/openLog.ts'
import { settledSessions } from '../manySessions.ts'
import './api.ts'

const chain = 'bench'
const silent = { failed: () => undefined, taken: () => undefined, shrunk: () => undefined }
/** Repeated readings of a balance: two records per input, of typical length. */
function* groups(inputs: number, from = 1) {
  for (let n = from; n < from + inputs; n++) {
    const data = { account: '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin', slot: n, amounts: { SOL: String(n) } }
    const at = 1_800_000_000_000 + n
    yield {
      lines: [
        encode({ k: 'i', n, at, type: 'chain.balances', v: 1, data, to: `e1.${n}.0` }),
        encode({ k: 'f', seq: n, n, at, type: 'balance.read', v: 1, data }),
      ],
      head: { life: 1, n, seq: n },
    }
  }
}

async function written(records: number, durability: 'strict' | 'relaxed'): Promise<number> {
  await eraseLog(chain)
  const { journal } = await openRecord(chain, silent)
  const all = [...groups(records / 2)]
  const start = performance.now()
  let last: Promise<void> = Promise.resolve()
  for (const [index, { lines, head }] of all.entries()) {
    journal.append(lines, head)
    // A full segment: the next one fills while it is written, as in real use
    if (index % 50 === 49) {
      await last
      last = journal.flush(durability)
    }
  }
  await journal.flush(durability)
  const took = performance.now() - start
  journal.close()
  return took
}

window.journalBench = {
  append: written,
  async rows(records) {
    type Rows = { rows: { key: number; value: unknown } }
    await deleteDatabase('rows')
    const db = await openDatabase<Rows>('rows', { version: 1, stores: [['rows']] })
    const all = [...groups(records / 2)].flatMap(({ lines }) => lines)
    const start = performance.now()
    for (const [key, line] of all.entries()) await db.put('rows', line, key)
    const write = performance.now() - start
    const reading = performance.now()
    const read = await db.transact(['rows'], 'reading', store => store('rows').getAll())
    const readMs = performance.now() - reading
    db.close()
    if (read.length !== all.length) throw new Error(`expected ${all.length} rows, got ${read.length}`)
    return { write, read: readMs }
  },
  async readBack(records) {
    await written(records, 'relaxed')
    const start = performance.now()
    const { journal, known } = await openRecord(chain, silent)
    const took = performance.now() - start
    journal.close()
    if (known.facts.length !== records / 2) throw new Error(`expected ${records / 2} facts, got ${known.facts.length}`)
    return took
  },
  async coldStart(records) {
    await written(records, 'relaxed')
    const start = performance.now()
    const { journal, known } = await openRecord(chain, silent)
    const core = createCore(deciders, known.model, { seq: known.from.seq })
    for (const fact of known.facts) core.recall(fact)
    const took = performance.now() - start
    journal.close()
    return took
  },
  checkpointPause({ sessions, orders }) {
    const model = emptyCoreModel()
    const wallets = Array.from({ length: 480 }, (_, index) => ({
      walletId: `wallet-${index}`,
      name: `Wallet ${index}`,
      imageId: `image-${index}`,
      homepage: `https://wallet-${index}.example/`,
      mobileLink: `wallet-${index}://`,
      certified: true,
    }))
    foldCoreFact(model, { type: 'listing.read', at: 1, data: { page: 1, search: '', count: 480, wallets } })
    for (const { accounts: _, ...settled } of settledSessions(sessions))
      foldCoreFact(model, { type: 'session.settled', at: 1, data: { ...settled, transport: 'relay' } })
    for (let n = 0; n < orders; n++) {
      const data = { orderId: `order-${n}`, account: 'a', connectionId: 'c', walletName: 'w', asset: 'SOL', units: '1' }
      foldCoreFact(model, { type: 'order.drafted', at: n, data })
    }
    const start = performance.now()
    const place = { n: 1, seq: 1, life: 1, at: 1, build: 'b', transient: {} }
    new TextEncoder().encode(checkpointLines(place, model).join('\n'))
    const checkpoint = performance.now() - start
    const cloning = performance.now()
    structuredClone(model)
    return { checkpoint, clone: performance.now() - cloning }
  },
}
