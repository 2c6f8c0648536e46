import { expect, type Page } from '@playwright/test'

/** Everything this site stores in the browser, as text: databases with bytes as hex and as text, both storages. */
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
        const reading = db.transaction(store).objectStore(store)
        const [keys, values] = [reading.getAllKeys(), reading.getAll()]
        const rows = await new Promise<unknown[]>((resolve, reject) => {
          values.onsuccess = () => resolve([...keys.result, ...(values.result as unknown[])])
          values.onerror = () => reject(values.error)
        })
        parts.push(`${name} ${store}`, ...rows.map(row => JSON.stringify(row, plain)))
      }
      db.close()
    }
    return parts.join('\n')
  })
}

/** Waits until a word stands in what this site stores: the log is written shortly after the page shows a fact. */
export function untilStored(page: Page, word: string): Promise<void> {
  return expect.poll(() => storedText(page)).toContain(word)
}

/** Records the page's messages to workers, ports and channels; added to a context before its first page opens. */
export function notePosted(): void {
  const posted: string[] = []
  const text = (_: string, value: unknown): unknown => {
    if (value instanceof ArrayBuffer) return Array.from(new Uint8Array(value)).join(',')
    return ArrayBuffer.isView(value)
      ? Array.from(new Uint8Array(value.buffer, value.byteOffset, value.byteLength)).join(',')
      : value
  }
  Object.assign(window, { posted })
  for (const { prototype } of [Worker, MessagePort, BroadcastChannel]) {
    const original = prototype.postMessage as (...args: unknown[]) => void
    prototype.postMessage = function (this: unknown, ...args: unknown[]) {
      posted.push(JSON.stringify(args[0], text) ?? '')
      original.apply(this, args)
    }
  }
}

/** @returns the messages recorded by `notePosted` in this page */
export function postedText(page: Page): Promise<string> {
  return page.evaluate(() => (window as unknown as { posted: string[] }).posted.join('\n'))
}
