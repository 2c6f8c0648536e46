/** The token of a wallet app in the browser's own storage. */
import { deleteDB, openDB } from 'idb'
import { beforeEach, expect, test } from 'vitest'
import { createKeptToken } from '../../../../src/main/drivers/mobileWallet/keptToken.ts'

const name = 'mai-mobile-wallet'
beforeEach(() => deleteDB(name))

/** Rows of the database as text, keys exported where that is possible. */
async function stored(): Promise<string> {
  const db = await openDB(name)
  const rows: { key: CryptoKey; iv: Uint8Array; bytes: ArrayBuffer }[] = await db.getAll('token')
  db.close()
  const texts = rows.map(async ({ key, iv, bytes }) => {
    await expect(crypto.subtle.exportKey('raw', key)).rejects.toThrow()
    return [iv, new Uint8Array(bytes)].map(part => new TextDecoder('latin1').decode(part)).join(' ')
  })
  return (await Promise.all(texts)).join('\n')
}

test('kept token: a later page reads it, and it lies on the disk encrypted only', async () => {
  await createKeptToken().keep('authorised-once')
  expect(await createKeptToken().recall()).toBe('authorised-once')
  expect(await stored()).not.toContain('authorised')
})

test('kept token: the last one stands, and none once it is removed', async () => {
  const token = createKeptToken()
  void token.keep('first')
  void token.keep('second')
  expect(await token.recall()).toBe('second')
  void token.keep(undefined)
  expect(await token.recall()).toBeUndefined()
  expect(await stored()).toBe('')
})

test('kept token: a row that opens with no key, or storage that refuses, counts as none', async () => {
  const token = createKeptToken()
  await token.keep('authorised-once')
  const db = await openDB(name)
  const row: { bytes: ArrayBuffer } = await db.get('token', 'kept')
  await db.put('token', { ...row, bytes: new Uint8Array(row.bytes.byteLength).buffer }, 'kept')
  db.close()
  expect(await token.recall()).toBeUndefined()
  const { open } = IDBFactory.prototype
  IDBFactory.prototype.open = () => {
    throw new DOMException('denied', 'SecurityError')
  }
  try {
    await token.keep('another')
    expect(await token.recall()).toBeUndefined()
  } finally {
    IDBFactory.prototype.open = open
  }
})
