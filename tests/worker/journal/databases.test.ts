/**
 * Databases that earlier builds wrote, opened by this one.
 * Their origin: the code of a commit re-executed its recording `walletconnect-worker-killed` to the letter, wrote the
 * log with two checkpoints (at the wallet's request, and while the payment settled) and bytes on an in-memory
 * IndexedDB; the file holds every row and the model of that build at the end. `0.1.0` is 195d446, the first build with
 * checkpoints on disk, minutes after the release's recordings; `checkpoint-format-1` is the last one before checkpoints
 * had a format number.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDB } from 'idb'
import { IDBFactory } from 'fake-indexeddb'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { CoreModel } from '../../../src/events/app.ts'
import { foldCoreFact } from '../../../src/events/coreFolds.ts'
import { emptyCoreModel } from '../../../src/events/emptyModel.ts'
import { codec } from '../../../src/events/log/codec.ts'
import type { LogState } from '../../../src/worker/journal/logState.ts'
import { onDisk, open } from '../logs.ts'

type Row = { store: string; key: string | number; value: unknown }

function read(name: string): { name: string; version: number; rows: Row[]; model: CoreModel } {
  const lines = readFileSync(join(import.meta.dirname, `databases/${name}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n')
  const [head, ...rest] = lines.map(line => JSON.parse(line, withBytes))
  const { model } = rest.pop()
  return { ...head, rows: rest, model }
}

/** Revives bytes, stored as `{ text }`. */
function withBytes(_: string, value: unknown): unknown {
  const { text, ...more } = (value ?? {}) as { text?: unknown }
  const isText = typeof value === 'object' && typeof text === 'string' && Object.keys(more).length === 0
  return isText ? new TextEncoder().encode(text) : value
}

/** Writes the rows unchanged. @returns the log's chain */
async function restored({ name, version, rows }: ReturnType<typeof read>): Promise<string> {
  const db = await openDB(name, version, {
    upgrade(made) {
      for (const store of ['seg', 'head', 'keys', 'bytes', 'ckpt']) made.createObjectStore(store)
    },
  })
  for (const { store, key, value } of rows) await db.put(store, value, key)
  db.close()
  return name.replace('mai-', '')
}

function worldOf({ model, facts }: LogState): CoreModel {
  const world = structuredClone(model)
  for (const fact of facts) foldCoreFact(world, structuredClone(fact))
  return world
}

/** Fold of every line of the log by this build. */
function foldOf(lines: readonly string[]): CoreModel {
  const model = emptyCoreModel()
  for (const line of lines) {
    if (line[6] !== 'f') continue
    const record = codec.decodeOwn(line)
    if (record.k === 'f') foldCoreFact(model, record)
  }
  return model
}

/** An order of those builds, whose parts stood side by side, in today's groups. */
function asNow(order: Record<string, any>) {
  const { quoted, min, termsHash, orderKey, signature, signedRef, ...same } = order
  return {
    ...same,
    quote: { quoted, min },
    accepted: { termsHash, orderKey },
    signed: { signature, bytesRef: signedRef },
  }
}

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory()
  vi.spyOn(console, 'warn').mockReturnValue()
})

describe.each(['0.1.0', 'checkpoint-format-1'])('database of %s', name => {
  const made = read(name)
  const keysOf = (store: string) => made.rows.filter(row => row.store === store).map(({ key }) => key)
  const checkpoints = keysOf('ckpt').map(Number)

  test('opens with its newest checkpoint, durable and undamaged', async () => {
    const chain = await restored(made)
    const { journal, known, keys, bytes, obstacle } = await open(chain)
    expect([journal.storage, obstacle, known.lost, known.from.n]).toEqual([
      'durable',
      undefined,
      undefined,
      checkpoints[1],
    ])
    expect(await onDisk(chain, db => db.getAllKeys('ckpt'))).toEqual(checkpoints)
    expect([await keys.names(), await bytes.refs()]).toEqual([keysOf('keys'), keysOf('bytes')])
  })

  test('has the same wallet, session, order and purchases as in the build that wrote it', async () => {
    const { known } = await open(await restored(made))
    const { connection, session, order, purchase, balance, sale, core, network } = worldOf(known)
    const { model: old } = made
    expect(connection.made).toMatchObject(old.connection.made)
    expect(connection.active).toBe(old.connection.active)
    expect(Object.keys(session)).toEqual(Object.keys(old.session))
    for (const [topic, { peer, namespaces, expiresAt }] of Object.entries(old.session))
      expect(session[topic]).toMatchObject({ peer, namespaces, expiresAt })
    const phases = Object.values(order).map(({ phase }) => phase)
    expect(phases).toEqual(['finalised'])
    for (const [orderId, before] of Object.entries(old.order)) expect(order[orderId]).toMatchObject(asNow(before))
    expect(purchase).toMatchObject(old.purchase)
    expect(balance).toMatchObject(old.balance)
    expect(sale.terms).toMatchObject(old.sale.terms)
    expect([core, network]).toMatchObject([old.core, old.network])
  })

  test('folds from either checkpoint to the model of its whole log', async () => {
    for (const from of [...checkpoints, 0]) {
      globalThis.indexedDB = new IDBFactory()
      const rows = made.rows.filter(({ store, key }) => store !== 'ckpt' || Number(key) <= from)
      const { known, journal } = await open(await restored({ ...made, rows }))
      expect([known.from.n, known.lost]).toEqual([from, undefined])
      const whole = foldOf(await journal.lines())
      const { order, purchase, connection, mail, pairing, outbox, request, session, balance } = worldOf(known)
      const same = { order, purchase, connection, mail, pairing, outbox }
      expect({ ...whole, ...same }).toEqual(whole)
      // Checkpoints of 0.1.0 lack the end of a request, a session's transport and the life of a reading
      expect(whole).toMatchObject({ request })
      expect([session, balance].map(Object.keys)).toEqual([whole.session, whole.balance].map(Object.keys))
    }
  })
})
