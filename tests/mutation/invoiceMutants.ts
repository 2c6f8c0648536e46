/** Planted faults of payments by code, and of the payouts that a visitor sees. */
import { type Mutant, tested } from './mutant.ts'

const invoice = tested('src/worker/deciders/sale/invoice.ts', ['tests/worker/deciders/sale/invoice.test.ts'])
const fold = tested('src/events/subjects/invoice.ts', ['tests/worker/deciders/sale/invoice.test.ts'])
const driver = tested('src/worker/drivers/solana/sale/invoice.ts', ['tests/worker/drivers/solana/solana.test.ts'])
const link = tested('src/events/sale/payments/transferRequest.ts', ['tests/ui/presale/buy/invoice.test.tsx'])
const payout = tested('src/worker/services/payouts.ts', ['tests/worker/services/payouts.test.ts'])
const purchase = tested('src/worker/deciders/sale/purchase.ts', ['tests/worker/deciders/sale/sale.test.ts'])
const payoutFold = tested('src/events/subjects/purchase.ts', ['tests/worker/deciders/sale/sale.test.ts'])

export const invoiceMutants: readonly Mutant[] = [
  invoice(
    'a code is looked for before it is on the disk',
    "{ about: invoiceId, after: 'stored' }",
    '{ about: invoiceId }',
  ),
  invoice('a final payment is looked for on', "payment.status === 'final' : at", 'false : at'),
  invoice('an unpaid code is looked for without end', 'at - openedAt > afterMs', 'at < openedAt'),
  invoice('a payment is told at every look', 'buyer !== undefined && isNews)', 'buyer !== undefined)'),
  invoice('a code is looked for while nobody sees it', '&& !anyVisible(ctx))', '&& false)'),
  invoice('a list of buyers is ignored', "terms.terms.access.mode === 'allowlist'", 'ctx.at < 0'),
  invoice('a failed look is the last', '(ctx, _, invoiceId) => lookAgain(ctx, invoiceId)', '() => undefined'),
  invoice('a person who comes back waits for the next look', 'lookSoon(ctx, one.invoiceId, 0)\n}', 'void one\n}'),
  invoice('a code needs no statements', 'const early = pressRefusal(ctx, data)', 'const early = undefined'),
  fold('a payment by code is no purchase', 'notePurchase(model, buyer, payment, at)', 'void at'),
  fold('every code is kept', '.slice(0, kept)', ''),
  driver('any purchase pays a code', 'payment.memo.id !== orderKey', 'payment.memo.id === undefined'),
  driver('the latest payment is the code’s', '(err ?? null) === null).reverse()', '(err ?? null) === null)'),
  link('a wallet is not told the reference', "    ['reference', reference],\n", ''),
  link('a wallet is not told the memo', "    ['memo', memo],\n", ''),
  payout('a stranger’s transfer is a refund', '(account.asset === undefined || isTreasury)', 'true'),
  payout(
    'a plan counts before it is announced',
    'if (!isTreasury && !sale.plans.some(',
    'if (isTreasury && !sale.plans.some(',
  ),
  payout('another sale’s payout counts', ' || memo.presale !== sale.mark', ''),
  payout('a transfer of anybody counts', 'moved?.from === feePayer && accounts', 'moved && accounts'),
  purchase('payouts are looked for once', '    if (payouts) lookAgain(ctx)\n', ''),
  purchase(
    'payouts are read while nobody looks',
    "if (id === 'payouts' && !anyVisible(ctx)) return lookAgain(ctx)",
    '',
  ),
  purchase('known payouts are read again', '[...purchases, ...payouts].filter', '[...purchases].filter'),
  payoutFold('a failed reading forgets the payouts', '...(before?.payouts && { payouts: before.payouts }),', ''),
]
