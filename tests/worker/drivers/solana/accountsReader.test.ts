import { expect, test } from 'vitest'
import { createAccountsReader } from '../../../../src/worker/drivers/solana/sale/accountsReader.ts'

const account = (lamports: number) => ({
  lamports,
  owner: '11111111111111111111111111111111',
  data: ['', 'base64'],
  executable: false,
})

function reader(answer: (addresses: string[]) => unknown) {
  const asked: string[][] = []
  const read = createAccountsReader({
    call: async (_method, [addresses] = []) => {
      asked.push([...(addresses as string[])])
      return answer(addresses as string[])
    },
  })
  return { read, asked }
}
const numbered = (addresses: string[]) => ({
  context: { slot: 7 },
  value: addresses.map(address => (address === 'none' ? null : account(Number(address.slice(1))))),
})
const lamports = ({ found }: { found: ({ lamports: number } | null)[] }) => found.map(one => one?.lamports ?? null)

test('accounts: all reads of one tick are one call, each address once, each answer in its own order', async () => {
  const { read, asked } = reader(numbered)
  const [one, other] = await Promise.all([read(['a1', 'a2']), read(['a3', 'none', 'a2'])])
  expect(asked).toEqual([['a1', 'a2', 'a3', 'none']])
  expect([one, other].map(lamports)).toEqual([
    [1, 2],
    [3, null, 2],
  ])
  expect(one.slot).toBe(7)
  await read(['a2'])
  expect(asked).toHaveLength(2)
})

test('accounts: more than a node takes in one call are read apart', async () => {
  const { read, asked } = reader(numbered)
  const many = Array.from({ length: 60 }, (_, index) => `a${index}`)
  const others = Array.from({ length: 60 }, (_, index) => `a${100 + index}`)
  const [one, other] = await Promise.all([read(many), read(others)])
  expect(asked.map(({ length }) => length)).toEqual([60, 60])
  expect([lamports(one)[59], lamports(other)[0]]).toEqual([59, 100])
})

test('accounts: an answer of another length is refused to all who asked', async () => {
  const { read } = reader(() => ({ context: { slot: 7 }, value: [] }))
  const refused = await Promise.allSettled([read(['a1']), read(['a2'])])
  expect(refused.map(one => one.status === 'rejected' && (one.reason as Error).message)).toEqual([
    'getMultipleAccounts expected 2 accounts, got 0',
    'getMultipleAccounts expected 2 accounts, got 0',
  ])
})
