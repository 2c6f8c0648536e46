import { expect, test } from 'vitest'
import { type KeyStore, topicKey, memoryKeys } from '../../../src/worker/drivers/walletconnect/keys.ts'
import { copyKeys, createSeal } from '../../../src/worker/drivers/walletconnect/seal.ts'

async function sealed(names: readonly string[]): Promise<KeyStore> {
  const keys = memoryKeys()
  const seal = createSeal(keys)
  for (const name of names) await seal.keep(name, `text of ${name}`)
  return keys
}

test('keys of sessions are copied to another log and sealed there anew; other topics stay behind', async () => {
  const from = await sealed([topicKey('a'), topicKey('b'), topicKey('c')])
  const to = await sealed([topicKey('of its own')])
  await copyKeys(from, to, ['a', 'b', 'without a key'])
  const seal = createSeal(to)
  expect(await seal.kept(topicKey('a'))).toBe('text of topic:a')
  expect(await seal.kept(topicKey('b'))).toBe('text of topic:b')
  expect(await seal.kept(topicKey('of its own'))).toBe('text of topic:of its own')
  expect(await seal.kept(topicKey('c'))).toBeUndefined()
  expect(await seal.kept(topicKey('without a key'))).toBeUndefined()
})

test('an entry sealed by another log’s key is refused', async () => {
  const [from, to] = [await sealed([topicKey('a')]), await sealed([topicKey('b')])]
  to.put(topicKey('a'), await from.get(topicKey('a')))
  await expect(createSeal(to).kept(topicKey('a'))).rejects.toMatchObject({ code: 'storage_down' })
})
