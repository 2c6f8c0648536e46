/**
 * Test files of the browser share an origin. Each begins once no worker of the file before leads it any more, and with an empty
 * disk.
 */
import { beforeAll, expect } from 'vitest'
import { soon } from './soon.ts'

beforeAll(async () => {
  await soon(async () => expect((await navigator.locks.query()).held).toEqual([]))
  for (const { name } of await indexedDB.databases()) if (name !== undefined) await erased(name)
})

function erased(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.deleteDatabase(name)
    asked.onsuccess = () => resolve()
    asked.onerror = () => reject(asked.error ?? new Error(`the database ${name} stays`))
  })
}
