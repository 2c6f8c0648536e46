import 'fake-indexeddb/auto'
import { describe, expect, test } from 'vitest'
import type { JournalSchema, LogStore } from '../../src/runtime/journal/journal.ts'
import { type BytesStore, storedBytes, memoryBytes } from '../../src/worker/drivers/bytes.ts'
import { openDatabase } from '../../src/runtime/journal/database.ts'

const abc = Uint8Array.of(97, 98, 99)
// SHA-256 of "abc", FIPS 180-4 example.
const abcRef = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad.order-1'

let opened = 0

/** Opens a distinct database for each test. */
async function openStore() {
  opened += 1
  const db = await openDatabase<JournalSchema>(`bytes ${opened}`, { version: 1, stores: [['bytes']] })
  const log: LogStore = { run: task => task(db), close: () => db.close() }
  return { db, log }
}

const stores: [string, () => Promise<BytesStore>][] = [
  ['in memory', async () => memoryBytes()],
  ['in the database', async () => storedBytes((await openStore()).log)],
]

describe.each(stores)('bytes kept %s', (_, make) => {
  test('are named by their hash and owner and come back', async () => {
    const store = await make()
    expect(await store.put(abc, 'order-1')).toBe(abcRef)
    expect(await store.get(abcRef)).toEqual(abc)
  })

  test('that are kept twice are kept once', async () => {
    const store = await make()
    expect(await store.put(abc, 'order-1')).toBe(await store.put(abc.slice(), 'order-1'))
    await store.forget([abcRef])
    expect(await store.get(abcRef)).toBeUndefined()
  })

  test('of one owner stay when the same bytes of another are forgotten', async () => {
    const store = await make()
    await store.put(abc, 'order-1')
    const other = await store.put(abc, 'order-2')
    await store.forget([abcRef])
    expect(await store.get(other)).toEqual(abc)
  })

  test('are copies: later changes to the caller’s array leave them unchanged', async () => {
    const store = await make()
    const mine = abc.slice()
    await store.put(mine, 'order-1')
    mine.fill(0)
    expect(await store.get(abcRef)).toEqual(abc)
    ;(await store.get(abcRef))?.fill(0)
    expect(await store.get(abcRef)).toEqual(abc)
  })

  test('from a view into a larger buffer are stored without the rest of it', async () => {
    const store = await make()
    await store.put(Uint8Array.of(0, 97, 98, 99, 0).subarray(1, 4), 'order-1')
    expect((await store.get(abcRef))?.buffer.byteLength).toBe(3)
  })

  test('that are missing read as missing, and forgetting them is no error', async () => {
    const store = await make()
    expect(await store.get('0'.repeat(64))).toBeUndefined()
    await store.forget(['0'.repeat(64)])
    await store.forget([])
  })

  test('can be empty', async () => {
    const store = await make()
    expect(await store.get(await store.put(new Uint8Array(), 'order-1'))).toEqual(new Uint8Array())
  })
})

describe('bytes in the database', () => {
  test('that were altered count as missing', async () => {
    const { db, log } = await openStore()
    const store = storedBytes(log)
    await store.put(abc, 'order-1')
    await db.put('bytes', Uint8Array.of(97, 98, 100), abcRef)
    expect(await store.get(abcRef)).toBeUndefined()
  })

  test('of an earlier release, named by their hash alone, are read', async () => {
    const { db, log } = await openStore()
    const bare = abcRef.slice(0, 64)
    await db.put('bytes', abc, bare)
    expect(await storedBytes(log).get(bare)).toEqual(abc)
  })

  test('of a closed database fail with a code', async () => {
    const { db, log } = await openStore()
    db.close()
    const store = storedBytes(log)
    await expect(store.put(abc, 'order-1')).rejects.toMatchObject({ code: 'storage_down' })
    await expect(store.get(abcRef)).rejects.toMatchObject({ code: 'storage_down' })
    await expect(store.forget([abcRef])).rejects.toMatchObject({ code: 'storage_down' })
  })
})
