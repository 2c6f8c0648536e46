/** Refunds of tokens that came from another account than their owner's associated one. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { base58, concat, sha256 } from '../../../stack/solana/bytes.ts'
import { seededKeypair } from '../../../stack/solana/keys.ts'
import { marksOf, orderMemo } from '../../../stack/solana/presale/marks.ts'
import { giveUsdc } from '../../../stack/solana/presale/purchases.ts'
import { associatedAccount, memo, transferChecked } from '../../../stack/solana/programs.ts'
import { jsonOf, openPaidSale, type PaidSale, readPurchases } from './paidSale.ts'

let sale: PaidSale
const buyer = seededKeypair('other account', 'buyer')
/** A token account of the buyer at an address of its own. */
const savings = base58(sha256('the savings of a buyer'))
/** Payers from one account, one after the other: it is the giver's associated one, and the taker's at the end. */
const [giver, taker] = [seededKeypair('other account', 'giver'), seededKeypair('other account', 'taker')]
let given: string

function giveAway(address: string, { publicKey }: typeof buyer): void {
  const account = sale.stack.chain.accounts.now(address)
  if (!account) throw new Error('expected the account')
  const data = concat(account.data.slice(0, 32), publicKey, account.data.slice(64))
  sale.stack.chain.accounts.place(address, { ...account, data })
}

function payLate(from: string, owner: typeof buyer, { id, units }: { id: string; units: bigint }): void {
  const { chain, info } = sale.stack
  const order = { terms: info.termsHash.slice(0, 16), id: id.repeat(16), asset: 'USDC', units }
  const move = { from, mint: info.usdcMint, to: info.treasuryUsdc, authority: owner.address, decimals: 6 }
  const { presale } = marksOf(info.authority, 'mai-presale-1')
  chain.run(
    [
      memo(orderMemo({ ...order, quoted: 0n, min: 0n })),
      transferChecked({ ...move, amount: units, references: [presale] }),
    ],
    [owner],
  )
  chain.advance(40)
}

beforeAll(async () => {
  sale = await openPaidSale('other account', 'closed')
  const { chain, accounts, info } = sale.stack
  for (const { address } of [buyer, giver, taker]) sale.stack.give(address, { sol: '1' })
  for (const { address } of [buyer, giver]) giveUsdc(chain, accounts, address, 90_000_000n)
  const associated = chain.accounts.now(associatedAccount(buyer.address, info.usdcMint))
  if (associated) chain.accounts.place(savings, associated)
  payLate(savings, buyer, { id: 'a', units: 50_000_000n })
  given = associatedAccount(giver.address, info.usdcMint)
  payLate(given, giver, { id: 'b', units: 20_000_000n })
  giveAway(given, taker)
  payLate(given, taker, { id: 'c', units: 10_000_000n })
})
afterAll(() => sale.close())

test('each owner’s own is paid to the account that it came from, also where two paid from one', async () => {
  const planned = await jsonOf(sale.presale(['plan', '--kind', 'refunds', ...sale.key('authority'), '--json']))
  const apart = planned.apart.filter(({ owner }: { owner: string | null }) => owner !== null)
  expect([planned.code, apart]).toEqual([
    0,
    [expect.objectContaining({ owner: giver.address, units: '20000000', why: 'unpayable' })],
  ])
  const before = [sale.held(savings), sale.held(given)] as const
  expect(await sale.presale(['refund', ...sale.key('treasury')])).toMatchObject({ code: 0 })
  expect([sale.held(savings) - before[0], sale.held(given) - before[1]]).toEqual([50_000_000n, 10_000_000n])
})

test.each([
  ['a buyer', buyer, '50000000'],
  ['the account’s new owner', taker, '10000000'],
])('is found by the page of %s', async (_, { address }, units) => {
  const { planned, payouts, batches } = await readPurchases(sale, address)
  expect(planned).toMatchObject([{ asset: 'USDC', units }])
  expect(payouts).toMatchObject([{ asset: 'USDC', units, status: 'final' }])
  expect(batches).toMatchObject([{ plan: planned?.[0]?.plan, batch: planned?.[0]?.batch }])
})

test('is not the buyer’s any more once the account has another owner', async () => {
  giveAway(savings, seededKeypair('other account', 'heir'))
  sale.stack.chain.advance(40)
  const { planned, payouts } = await readPurchases(sale, buyer.address)
  expect([planned, payouts]).toEqual([[expect.objectContaining({ units: '50000000' })], []])
})
