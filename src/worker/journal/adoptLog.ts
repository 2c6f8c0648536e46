/** Gives the log that was begun before its chain was known to that chain. */
import { openLog } from './storage.ts'

const parts = ['seg', 'head', 'keys', 'bytes', 'ckpt'] as const

/**
 * Moves the log of no chain yet, with its keys and bytes: a wallet that was connected before the chain was known stays connected,
 * and a code on the screen still works. Its core has ended. A chain that has a log keeps its own.
 *
 * @returns whether the log was moved
 * @throws Fault `storage_down` when the browser denies storage or does not answer within 5 s
 */
export async function adoptLog(genesisHash: string): Promise<boolean> {
  const [from, to] = await Promise.all([openLog(''), openLog(genesisHash)])
  try {
    const held = await from.run(db =>
      db.transact(parts, 'reading', store =>
        Promise.all(
          parts.map(async part => {
            const [keys, values] = await Promise.all([store(part).getAllKeys(), store(part).getAll()])
            return { part, keys, values }
          }),
        ),
      ),
    )
    const isMoved = await to.run(db =>
      db.transact(parts, 'strict', async store => {
        if ((await store('head').count()) > 0) return false
        await Promise.all(
          held.flatMap(({ part, keys, values }) =>
            keys.map((key, at) => store(part).put(values[at] as never, key as never)),
          ),
        )
        return true
      }),
    )
    if (isMoved)
      await from.run(db =>
        db.transact(parts, 'strict', store =>
          Promise.all(held.flatMap(({ part, keys }) => keys.map(key => store(part).delete(key as never)))),
        ),
      )
    return isMoved
  } finally {
    from.close()
    to.close()
  }
}
