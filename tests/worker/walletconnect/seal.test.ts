import { expect, test } from 'vitest'
import { topicReference } from '../../../src/events/values/reference.ts'
import { type KeyStore, memoryKeys } from '../../../src/worker/drivers/walletconnect/keys.ts'
import { copyKeys, createSeal } from '../../../src/worker/drivers/walletconnect/seal.ts'

async function sealed(names: readonly string[]): Promise<KeyStore> {
  const keys = memoryKeys()
  const seal = createSeal(keys)
  for (const name of names) await seal.keep(name, `text of ${name}`)
  return keys
}

test('keys of sessions are copied to another log and sealed there anew; other topics stay behind', async () => {
  const from = await sealed([topicReference('a'), topicReference('b'), topicReference('c')])
  const to = await sealed([topicReference('of its own')])
  await copyKeys(from, to, ['a', 'b', 'without a key'])
  const seal = createSeal(to)
  expect(await seal.kept(topicReference('a'))).toBe('text of topic:a')
  expect(await seal.kept(topicReference('b'))).toBe('text of topic:b')
  expect(await seal.kept(topicReference('of its own'))).toBe('text of topic:of its own')
  expect(await seal.kept(topicReference('c'))).toBeUndefined()
  expect(await seal.kept(topicReference('without a key'))).toBeUndefined()
})

test('an entry sealed by another log’s key is refused', async () => {
  const [from, to] = [await sealed([topicReference('a')]), await sealed([topicReference('b')])]
  to.put(topicReference('a'), await from.get(topicReference('a')))
  await expect(createSeal(to).kept(topicReference('a'))).rejects.toMatchObject({ code: 'storage_down' })
})
