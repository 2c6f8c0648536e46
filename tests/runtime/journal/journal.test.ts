import 'fake-indexeddb/auto'
import { describe, expect, test, vi } from 'vitest'
import { logFormat } from '../../../src/events/log/logFormat.ts'
import { eraseLog, openLog } from '../../../src/worker/journal/storage.ts'
import { createJournal, type LogStore } from '../../../src/runtime/journal/journal.ts'
import { emptyHead } from '../../../src/runtime/journal/head.ts'
import { keyStore } from '../../../src/worker/drivers/walletconnect/keys.ts'
import { memoryJournal } from '../../../src/runtime/journal/memoryJournal.ts'
import { strictest } from '../../../src/runtime/journal/strictest.ts'

let made = 0

/** A log of its own for each test, with access to its open database. */
async function openOwn(name = `journal ${++made}`) {
  const log = await openLog(name)
  const database = () => log.run(async db => db)
  return { name, log, database, ...(await openOn(log)) }
}

/** A journal at the end of this log, and its reports. */
async function openOn(log: LogStore) {
  const failures: string[] = []
  const shrunk: number[] = []
  let taken = 0
  const head = (await log.run(db => db.get('head', 'head'))) ?? emptyHead
  const ports = {
    failed: (message: string) => failures.push(message),
    taken: () => (taken += 1),
    shrunk: (records: number) => shrunk.push(records),
  }
  const journal = createJournal(log, head, ports, logFormat)
  return { journal, failures, shrunk, taken: () => taken }
}

const head = (n: number, life = 1) => ({ life, n, seq: n })
const lines = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => `line ${from + i}`)

describe('a journal', () => {
  test('returns committed lines in the next life, and continues the numbers', async () => {
    const { name, journal } = await openOwn()
    journal.append(lines(1, 3), head(3))
    await journal.flush('strict')
    journal.close()
    const next = await openOwn(name)
    expect(next.journal.head()).toEqual({ life: 1, n: 3, seq: 3 })
    expect(await next.journal.lines()).toEqual(lines(1, 3))
  })

  test('dropped without a flush keeps a whole prefix: no group is cut', async () => {
    const { name, journal } = await openOwn()
    journal.append(lines(1, 99), head(1))
    journal.append(lines(100, 150), head(2))
    await journal.flush('relaxed')
    journal.append(lines(151, 152), head(3))
    journal.close()
    const next = await openOwn(name)
    expect(await next.journal.lines()).toEqual(lines(1, 150))
    expect(next.journal.head().n).toBe(2)
  })

  test('is the log’s only one, if two begin the same life at once', async () => {
    const { log, journal } = await openOwn()
    const other = await openOn(log)
    for (const one of [journal, other.journal]) one.append([], head(0))
    await journal.flush('strict')
    await expect(other.journal.flush('strict')).rejects.toMatchObject({ code: 'elsewhere' })
    expect(other.taken()).toBe(1)
  })

  test('commits a key in the transaction of its lines, and finds it before', async () => {
    const { name, journal, log, database } = await openOwn()
    const keys = keyStore(log, journal)
    const transactions: string[][] = []
    const db = await database()
    const { transact } = db
    db.transact = (names, durability, task) => {
      if (durability !== 'reading') transactions.push([...names])
      return transact(names, durability, task)
    }
    keys.put('topic:a', 'sealed')
    expect(await keys.get('topic:a')).toBe('sealed')
    expect(await keys.names()).toEqual([])
    journal.append(['line 1'], head(1))
    await journal.flush('strict')
    expect(transactions).toEqual([['seg', 'head', 'keys']])
    journal.close()
    const next = await openOwn(name)
    expect(await next.journal.lines()).toEqual(['line 1'])
    expect(await keyStore(next.log).get('topic:a')).toBe('sealed')
  })

  test('waits for a key that is still being sealed, with its lines', async () => {
    const { name, journal, log } = await openOwn()
    const keys = keyStore(log, journal)
    let sealed: (text: string) => void = () => undefined
    keys.put('topic:a', new Promise<string>(resolve => (sealed = resolve)))
    journal.append(['line 1'], head(1))
    const committed = journal.flush('strict')
    const found = keys.get('topic:a')
    sealed('sealed')
    await committed
    expect(await found).toBe('sealed')
    journal.close()
    const next = await openOwn(name)
    expect(await next.journal.lines()).toEqual(['line 1'])
    expect(await keyStore(next.log).get('topic:a')).toBe('sealed')
  })

  test('writes no line whose key could not be sealed', async () => {
    const { name, journal, log, failures } = await openOwn()
    keyStore(log, journal).put('topic:a', Promise.reject(new Error('no seal')))
    journal.append(['line 1'], head(1))
    await expect(journal.flush('strict')).rejects.toThrow('no seal')
    expect(failures).toEqual(['the log could not be written: Error'])
    journal.close()
    const next = await openOwn(name)
    expect([await next.journal.lines(), await keyStore(next.log).names()]).toEqual([[], []])
  })

  test('stores a key without lines, and deletes one', async () => {
    const { journal, log } = await openOwn()
    const keys = keyStore(log, journal)
    keys.put('topic:a', 'sealed')
    keys.put('topic:b', 'sealed')
    await journal.flush('relaxed')
    expect(await keyStore(log).names()).toEqual(['topic:a', 'topic:b'])
    await keys.delete(['topic:a'])
    expect([await keys.get('topic:a'), await keys.get('topic:b')]).toEqual([undefined, 'sealed'])
  })

  test('has the newest value of a key that is carried again during its commit', async () => {
    const { journal } = await openOwn()
    journal.carry('topic', 'older')
    const committed = journal.flush('relaxed')
    journal.carry('topic', 'newer')
    await committed
    expect(journal.carried('topic')).toBe('newer')
    await journal.flush('relaxed')
    expect(journal.carried('topic')).toBeUndefined()
  })

  test('has its seam where it was asked for, whatever is appended meanwhile', async () => {
    const { journal } = await openOwn()
    journal.append(lines(1, 2), head(1))
    const seam = journal.seam()
    journal.append(lines(3, 4), head(2))
    expect(await seam).toMatchObject({ n: 1, seq: 1, segment: 1 })
  })

  test('whose log another core writes now keeps none of its keys', async () => {
    const { journal, log, taken } = await openOwn()
    await log.run(db => db.put('head', { ...emptyHead, life: 9 }, 'head'))
    keyStore(log, journal).put('topic:a', 'sealed')
    journal.append(['line 1'], head(1))
    await expect(journal.flush('strict')).rejects.toThrow('another core writes it')
    expect(taken()).toBe(1)
    expect(await keyStore(log).names()).toEqual([])
  })

  test('keeps order when strict and relaxed flushes overlap', async () => {
    const { journal } = await openOwn()
    const flushed: Promise<void>[] = []
    for (let n = 1; n <= 20; n++) {
      journal.append([`line ${n}`], head(n))
      flushed.push(journal.flush(n % 3 === 0 ? 'strict' : 'relaxed'))
    }
    await Promise.all(flushed)
    expect(await journal.lines()).toEqual(lines(1, 20))
  })

  test('commits strictly what a relaxed flush has written', async () => {
    const { journal } = await openOwn()
    const transaction = vi.spyOn(IDBDatabase.prototype, 'transaction')
    journal.append(lines(1, 1), head(1))
    await journal.flush('relaxed')
    await journal.flush('strict')
    await journal.flush('relaxed')
    expect(transaction.mock.calls.map(([, , options]) => options?.durability)).toEqual(['relaxed', 'strict'])
    transaction.mockRestore()
  })

  test('whose database the browser closed opens it again and writes the same batch once', async () => {
    const { journal, failures, database } = await openOwn()
    journal.append(lines(1, 2), head(1))
    await journal.flush('strict')
    ;(await database()).close()
    journal.append(lines(3, 4), head(2))
    await journal.flush('strict')
    ;(await database()).close()
    expect(await journal.lines()).toEqual(lines(1, 4))
    expect(failures).toEqual([])
  })

  test('does not repeat a commit that succeeded in spite of an error', async () => {
    const { journal, log } = await openOwn()
    let lies = false
    const lying: LogStore = {
      run: async task => {
        const result = await log.run(task)
        if (!lies) return result
        lies = false
        return log.run(task)
      },
      close: log.close,
    }
    const { journal: again } = await openOn(lying)
    lies = true
    again.append(lines(1, 2), head(1))
    await again.flush('strict')
    again.append(lines(3, 3), head(2))
    await again.flush('strict')
    expect([lies, await journal.lines()]).toEqual([false, lines(1, 3)])
  })

  test('with its data cleared meanwhile writes nothing more: a log never begins in its middle', async () => {
    const { name, journal, failures, database } = await openOwn()
    journal.append(lines(1, 2), head(1))
    await journal.flush('strict')
    ;(await database()).close()
    await eraseLog(name)
    journal.append(lines(3, 4), head(2))
    await expect(journal.flush('strict')).rejects.toMatchObject({ code: 'storage_down' })
    expect(failures).toHaveLength(1)
    const next = await openOwn(name)
    expect(await next.journal.lines()).toEqual([])
    expect(next.journal.head().n).toBe(0)
  })

  test('with a newer writer gives way to it, and reports that', async () => {
    const first = await openOwn()
    const second = await openOwn(first.name)
    second.journal.append(lines(1, 1), head(1, 2))
    await second.journal.flush('strict')
    first.journal.append(['stale'], head(1))
    await expect(first.journal.flush('relaxed')).rejects.toMatchObject({ code: 'elsewhere' })
    first.journal.append(['staler'], head(2))
    await expect(first.journal.flush('strict')).rejects.toMatchObject({ code: 'elsewhere' })
    expect([first.taken(), first.failures]).toEqual([1, []])
    expect(await second.journal.lines()).toEqual(lines(1, 1))
  })

  test('with a newer writer after an erase gives way to it too', async () => {
    const first = await openOwn()
    first.journal.append(lines(1, 2), head(1))
    await first.journal.flush('strict')
    await eraseLog(first.name)
    const second = await openOwn(first.name)
    second.journal.append(lines(1, 1), head(1))
    await second.journal.flush('strict')
    first.journal.append(['stale'], head(2))
    await expect(first.journal.flush('strict')).rejects.toMatchObject({ code: 'elsewhere' })
    expect([first.taken(), first.failures]).toEqual([1, []])
    expect(await second.journal.lines()).toEqual(lines(1, 1))
  })

  test('with an older writer’s late lines gives way to them', async () => {
    const old = await openOwn()
    old.journal.append(lines(1, 1), head(1))
    await old.journal.flush('strict')
    const next = await openOwn(old.name)
    // The replaced journal held this line while it was frozen
    old.journal.append(lines(2, 2), head(2))
    await old.journal.flush('relaxed')
    next.journal.append(['on top of line 1'], head(2, 2))
    await expect(next.journal.flush('strict')).rejects.toMatchObject({ code: 'elsewhere' })
    expect(await old.journal.lines()).toEqual(lines(1, 2))
  })

  test('that cannot be written reports it once, refuses every later flush and still gives all its lines to a recording', async () => {
    const { log } = await openOwn()
    let full = false
    const quota = () => new DOMException('no room', 'QuotaExceededError')
    const filling: LogStore = {
      run: task =>
        log.run(async db => {
          const transact: typeof db.transact = (names, durability, work) => {
            if (full && durability !== 'reading') throw quota()
            return db.transact(names, durability, work)
          }
          return task({ ...db, transact })
        }),
      close: log.close,
    }
    const { journal, failures } = await openOn(filling)
    journal.append(lines(1, 2), head(1))
    await journal.flush('strict')
    full = true
    journal.append(lines(3, 3), head(2))
    await expect(journal.flush('strict')).rejects.toMatchObject({ name: 'QuotaExceededError' })
    journal.append(lines(4, 4), head(3))
    expect(journal.storage).toBe('lost')
    await journal.flush('relaxed')
    full = false
    await expect(journal.flush('strict')).rejects.toMatchObject({ code: 'storage_down' })
    journal.append(lines(5, 5), head(4))
    expect(await journal.lines()).toEqual(lines(1, 5))
    expect(failures).toEqual(['the log could not be written: QuotaExceededError'])
  })

  test('that is closed neither writes nor opens its database again', async () => {
    const { name, journal, failures } = await openOwn()
    journal.append(lines(1, 1), head(1))
    const flushed = journal.flush('strict')
    journal.close()
    await flushed.catch(() => undefined)
    await eraseLog(name)
    journal.append(lines(2, 2), head(2))
    await journal.flush('strict').catch(() => undefined)
    const next = await openOwn(name)
    expect(await next.journal.lines()).toEqual([])
    expect(failures).toEqual([])
  })
})

describe('crash guard data beside the head', () => {
  test('is there for the next life, with or without a line, and goes when it is removed', async () => {
    const { name, journal } = await openOwn()
    journal.mark({ build: 'b', pending: 'a line', aside: ['x 1'] })
    await journal.flush('relaxed')
    journal.close()
    const next = await openOwn(name)
    expect(next.journal.head().care).toEqual({ build: 'b', pending: 'a line', aside: ['x 1'] })
    next.journal.mark({ build: 'b', aside: ['x 1'] })
    next.journal.append(lines(1, 1), head(1))
    await next.journal.flush('relaxed')
    next.journal.close()
    const last = await openOwn(name)
    expect(last.journal.head()).toEqual({ life: 1, n: 1, seq: 1, care: { build: 'b', aside: ['x 1'] } })
  })
})

describe('a log store', () => {
  test('repeats a task once when the first try fails, and not a third time', async () => {
    const { log } = await openOwn()
    let tries = 0
    const failed = log.run(async () => {
      tries += 1
      throw new DOMException('gone', 'InvalidStateError')
    })
    await expect(failed).rejects.toMatchObject({ name: 'InvalidStateError' })
    expect(tries).toBe(2)
  })

  test('does not repeat it when there is no room', async () => {
    const { log } = await openOwn()
    let tries = 0
    const failed = log.run(async () => {
      tries += 1
      throw new DOMException('no', 'QuotaExceededError')
    })
    await expect(failed).rejects.toMatchObject({ name: 'QuotaExceededError' })
    expect(tries).toBe(1)
  })

  test('serves keys and lines again after the database was closed under both', async () => {
    const { log, database } = await openOwn()
    ;(await database()).close()
    const both = [
      log.run(db => db.put('keys', 'value', 'a')),
      log.run(db => db.put('bytes', Uint8Array.of(1), 'b')),
      log.run(db => db.transact(['keys'], 'reading', store => store('keys').getAllKeys())),
    ]
    await Promise.all(both)
    expect(await log.run(db => db.get('keys', 'a'))).toBe('value')
  })
})

describe('a journal in memory', () => {
  test('keeps its lines, and continues from the readable prefix', async () => {
    const journal = memoryJournal({ head: { life: 3, n: 2, seq: 2 }, lines: lines(1, 2) })
    journal.append(lines(3, 3), head(3, 4))
    await journal.flush('relaxed')
    expect(journal.storage).toBe('memory')
    expect(await journal.lines()).toEqual(lines(1, 3))
    expect(journal.head()).toMatchObject({ life: 4, n: 3 })
  })

  test('refuses a strict flush, as its lines are not durable', async () => {
    const journal = memoryJournal()
    journal.append(lines(1, 1), head(1, 1))
    await expect(journal.flush('strict')).rejects.toMatchObject({ code: 'storage_down' })
    expect([strictest(journal), strictest({ storage: 'durable' })]).toEqual(['relaxed', 'strict'])
  })
})
