/**
 * Storage that fails at every n-th operation: a visit is written, given up and read again on a disk of which one
 * operation fails, for every operation there is. Acknowledged records survive, and effects that wait for the disk leave
 * only after their commit.
 */
import { IDBFactory } from 'fake-indexeddb'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { visit } from '../simulation/visit.ts'
import { groupsOf, open } from './logs.ts'

const chain = 'chain'
const groups = groupsOf(visit('installed sign').inputs)
const lines = groups.flatMap(group => group.lines)
const stored = (n: number) => groups.slice(0, n).flatMap(group => group.lines).length

type Kind = 'open' | 'transaction' | 'get' | 'getAll' | 'put' | 'delete' | 'commit'
const kinds: Kind[] = ['open', 'transaction', 'get', 'getAll', 'put', 'delete', 'commit']

afterEach(() => {
  vi.restoreAllMocks()
})

/** Makes the n-th operation of this kind fail, once or from then on. @returns reads the number of operations */
function failing(kind: Kind, nth: number, how: 'once' | 'ever'): () => number {
  let count = 0
  const strikes = () => {
    count += 1
    return how === 'once' ? count === nth : count >= nth
  }
  const broken = () => new DOMException('the disk is gone', kind === 'put' ? 'QuotaExceededError' : 'UnknownError')
  const refuse = (on: object, name: string) => {
    const methods = on as Record<string, (...given: unknown[]) => unknown>
    const real = methods[name]
    vi.spyOn(methods, name).mockImplementation(function (this: unknown, ...given: unknown[]) {
      if (strikes()) throw broken()
      return real?.apply(this, given)
    })
  }
  if (kind === 'open') refuse(indexedDB, 'open')
  else if (kind === 'transaction') refuse(IDBDatabase.prototype, 'transaction')
  else if (kind === 'commit') {
    const real = IDBDatabase.prototype.transaction
    vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(function (this: IDBDatabase, ...given) {
      const tx = real.apply(this, given)
      if (strikes()) queueMicrotask(() => tx.abort())
      return tx
    })
  } else refuse(IDBObjectStore.prototype, kind)
  return () => count
}

/** A life: it appends each group, and flushes strictly after every third. @returns the acknowledged groups */
async function life(): Promise<{ acknowledged: number; refused: boolean; kept: string[] }> {
  const { journal, known } = await open(chain)
  let acknowledged = 0
  let refused = journal.storage === 'memory'
  const from = groups.findIndex(({ head }) => head.n > known.head.n)
  for (const [index, { lines: group, head, checkpoint }] of groups.entries()) {
    if (from < 0 || index < from || index >= from + 12) continue
    journal.append(group, head)
    if (index % 3 === 2) {
      await journal.flush('strict').then(
        () => (acknowledged = index + 1),
        () => (refused = true),
      )
    }
    if (index % 8 === 7)
      await journal
        .keep(
          await journal.seam().catch(() => ({ ...head, segment: 0, link: '' })),
          new TextEncoder().encode(checkpoint().join('\n')),
        )
        .catch(() => (refused = true))
  }
  const kept = await journal.lines().catch(() => [] as string[])
  if (journal.storage === 'memory') acknowledged = 0
  journal.close()
  return { acknowledged, refused, kept }
}

describe.each(kinds)('a disk that fails to %s', kind => {
  test.each(['once', 'ever'] as const)('%s, from any operation on, keeps all acknowledged lines', async how => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    for (let nth = 1; nth < 400; nth++) {
      globalThis.indexedDB = new IDBFactory()
      const first = await life()
      const count = failing(kind, nth, how)
      const second = await life()
      const struck = count() >= nth
      vi.restoreAllMocks()
      vi.spyOn(console, 'warn').mockImplementation(() => undefined)
      const { journal, known } = await open(chain)
      const sure = stored(Math.max(first.acknowledged, second.acknowledged))
      const after = (await journal.lines()).filter(line => line[6] !== 'c' && line[6] !== 'r')
      expect(journal.storage).toBe('durable')
      expect(known.lost).toBeUndefined()
      expect(after).toEqual(lines.slice(0, after.length))
      expect(after.length).toBeGreaterThanOrEqual(sure)
      journal.close()
      if (!struck) return
    }
    throw new Error('the disk never stopped failing')
  })
})
