import type { Page } from '@playwright/test'

/** Everything this site keeps in the browser, as text: databases with bytes as hex and as text, both storages. */
export function storedText(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const hex = (bytes: Uint8Array) => Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
    const both = (bytes: Uint8Array) => [hex(bytes), new TextDecoder().decode(bytes)]
    const plain = (_: string, value: unknown): unknown => {
      if (value instanceof ArrayBuffer) return both(new Uint8Array(value))
      if (ArrayBuffer.isView(value)) return both(new Uint8Array(value.buffer, value.byteOffset, value.byteLength))
      return value
    }
    const parts = [JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage })]
    for (const { name } of await indexedDB.databases()) {
      const db = await new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open(name ?? '')
        opening.onsuccess = () => resolve(opening.result)
        opening.onerror = () => reject(opening.error)
      })
      for (const store of db.objectStoreNames) {
        const rows = await new Promise<unknown[]>((resolve, reject) => {
          const read = db.transaction(store).objectStore(store).getAll()
          read.onsuccess = () => resolve(read.result)
          read.onerror = () => reject(read.error)
        })
        parts.push(`${name} ${store}`, ...rows.map(row => JSON.stringify(row, plain)))
      }
      db.close()
    }
    return parts.join('\n')
  })
}
