/** A refund of tokens that came from another account of their owner than the associated one. */
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

beforeAll(async () => {
  sale = await openPaidSale('other account', 'closed')
  const { chain, accounts, info } = sale.stack
  sale.stack.give(buyer.address, { sol: '1' })
  giveUsdc(chain, accounts, buyer.address, 90_000_000n)
  const associated = chain.accounts.now(associatedAccount(buyer.address, info.usdcMint))
  if (associated) chain.accounts.place(savings, associated)
  const order = { terms: info.termsHash.slice(0, 16), id: 'a'.repeat(16), asset: 'USDC', units: 50_000_000n }
  const move = { from: savings, mint: info.usdcMint, to: info.treasuryUsdc, authority: buyer.address, decimals: 6 }
  const { presale } = marksOf(info.authority, 'mai-presale-1')
  chain.run(
    [
      memo(orderMemo({ ...order, quoted: 0n, min: 0n })),
      transferChecked({ ...move, amount: order.units, references: [presale] }),
    ],
    [buyer],
  )
  chain.advance(40)
})
afterAll(() => sale.close())

test('is paid to the account that it came from, and found there by the buyer’s page', async () => {
  expect(await jsonOf(sale.presale(['plan', '--kind', 'refunds', ...sale.key('authority'), '--json']))).toMatchObject({
    code: 0,
  })
  const before = sale.held(savings)
  expect(await sale.presale(['refund', ...sale.key('treasury')])).toMatchObject({ code: 0 })
  expect(sale.held(savings) - before).toBe(50_000_000n)
  const { planned, payouts, batches } = await readPurchases(sale, buyer.address)
  expect(planned).toMatchObject([{ asset: 'USDC', units: '50000000' }])
  expect(payouts).toMatchObject([{ asset: 'USDC', units: '50000000', status: 'final' }])
  expect(batches).toMatchObject([{ plan: planned?.[0]?.plan, batch: planned?.[0]?.batch }])
})

test('is not the buyer’s any more once the account has another owner', async () => {
  const account = sale.stack.chain.accounts.now(savings)
  if (!account) throw new Error('expected the account')
  const { publicKey } = seededKeypair('other account', 'heir')
  const data = concat(account.data.slice(0, 32), publicKey, account.data.slice(64))
  sale.stack.chain.accounts.place(savings, { ...account, data })
  sale.stack.chain.advance(40)
  const { planned, payouts } = await readPurchases(sale, buyer.address)
  expect([planned, payouts]).toEqual([[expect.objectContaining({ units: '50000000' })], []])
})
