/** Planted faults of payments by code, and of the payouts that a visitor sees. */
import { type Mutant, tested } from './mutant.ts'

const invoice = tested('src/worker/deciders/sale/invoice.ts', ['tests/worker/deciders/sale/invoice.test.ts'])
const look = tested('src/worker/deciders/sale/invoiceLook.ts', ['tests/worker/deciders/sale/invoice.test.ts'])
const fold = tested('src/events/subjects/sale/invoice.ts', ['tests/worker/deciders/sale/invoice.test.ts'])
const keyOut = tested('src/worker/deciders/order/keyOut.ts', [
  'tests/worker/deciders/order/keyOut.test.ts',
  'tests/worker/deciders/sale/invoice.test.ts',
])
const driverTests = ['tests/worker/drivers/solana/sale/invoice.test.ts']
const trace = tested('src/worker/drivers/solana/sale/invoiceTrace.ts', driverTests)
const given = tested('src/worker/services/invoicePayments.ts', driverTests)
const link = tested('src/events/sale/payments/transferRequest.ts', ['tests/ui/presale/buy/invoice.test.tsx'])
const keyTests = ['tests/worker/deciders/order/keyOut.test.ts']
const judge = tested('src/worker/deciders/order/judge.ts', [...keyTests, 'tests/simulation/seeds.test.ts'])
const gate = tested('src/worker/deciders/order/gate.ts', keyTests)
const place = tested('src/worker/deciders/order/place.ts', keyTests)
const driver = tested('src/worker/drivers/solana/sale/invoice.ts', driverTests)
const now = tested('src/events/sale/saleNow.ts', ['tests/worker/deciders/sale/invoice.test.ts'])
const card = tested('src/ui/presale/buy/invoice/InvoiceBody.tsx', ['tests/ui/presale/buy/invoice.test.tsx'])
const payout = tested('src/worker/services/payouts.ts', ['tests/worker/services/payouts.test.ts'])
const purchase = tested('src/worker/deciders/sale/purchase.ts', ['tests/worker/deciders/sale/sale.test.ts'])
const plans = tested('src/worker/drivers/solana/sale/plans.ts', ['tests/worker/drivers/solana/sale/plans.test.ts'])
const rows = tested('src/ui/presale/buy/purchases/payoutRows.ts', [
  'tests/ui/presale/buy/holding.test.tsx',
  'tests/ui/presale/buy/refunds.test.tsx',
  'tests/ui/presale/buy/withoutBooks.test.tsx',
])
const bought = tested('src/ui/presale/buy/purchases/purchaseRows.ts', [
  'tests/ui/presale/buy/holding.test.tsx',
  'tests/ui/presale/buy/refunds.test.tsx',
  'tests/ui/presale/buy/withoutBooks.test.tsx',
])
const press = tested('src/ui/presale/buy/useBuying.ts', ['tests/ui/presale/buy/invoice.test.tsx'])
const core = tested('src/events/subjects/service/core.ts', ['tests/worker/deciders/sale/invoice.test.ts'])
const payoutFold = tested('src/events/subjects/sale/purchase.ts', ['tests/worker/deciders/sale/sale.test.ts'])

const dock = tested('src/ui/presale/buy/Dock.tsx', ['tests/ui/presale/buy/card.test.tsx'])
const order = tested('src/ui/presale/buy/order/OrderCard.tsx', ['tests/ui/presale/page.test.tsx'])
const ticks = tested('src/ui/presale/buy/acknowledged.ts', ['tests/ui/presale/page.test.tsx'])

export const invoiceMutants: readonly Mutant[] = [
  look('a code is looked for before it is on the disk', "{ about, after: 'stored' }", '{ about }'),
  gate('the gate does not wait for a look at a code', "...(code ? (['code'] as const) : [])", ''),
  fold('a final payment is looked for on', '!isSettled(invoice) && at', 'at'),
  invoice('a code draws a key of its own', 'keyForCode(ctx) ?? agreed.orderKey', 'agreed.orderKey'),
  keyOut('a used key is used again', ' || sameKey(invoice, newest).some(isSettled)', ''),
  keyOut('an order does not take the key of a code', 'codeOut(ctx, orderKey => paid.has(orderKey))', 'undefined'),
  keyOut(
    'a code does not take the key of an order',
    'codeOut(ctx, isUsed)?.orderKey ?? orderOut(ctx, unused)',
    'codeOut(ctx, isUsed)?.orderKey',
  ),
  keyOut(
    'a code takes the key of a paid code from an order',
    '.filter(({ accepted }) => !isUsed(accepted.orderKey))',
    '',
  ),
  keyOut('an order takes a key that its account has used', 'paid.has(orderKey)', 'orderKey === ""'),
  keyOut('a code takes a key that an order has used', 'isUsed(newest.orderKey) || ', ''),
  fold('a stranger’s payment uses up the key', "=== 'final' && isOrderOf(invoice, invoice.payment)", "=== 'final'"),
  invoice('a stranger’s payment takes the order’s place', 'payment.slot < known.slot : isOrder', 'false : true'),
  fold('a payment that is not final is given up', "invoice.payment?.status === 'confirmed' || ", ''),
  invoice('both codes of a key look', 'if (all[0] !== invoice || all.every', 'if (all.every'),
  invoice('the payment of an earlier code is not told', '[...own, ...earlier].filter', '[...own].filter'),
  invoice('a payment is told of two codes', 'const one = known ?? all', 'const one = all'),
  fold('a code that may be paid leaves the model', '|| (index < mostKept && at - openedAt <= soughtMs)', ''),
  fold('a payment of another amount is the order', 'paid.units === units &&', ''),
  fold('a payment at another price is the order', 'paid.quoted === quoted &&', ''),
  fold('an unpaid code is looked for without end', 'at - invoice.openedAt <= soughtMs', 'at >= invoice.openedAt'),
  invoice('a press after the hour looks for nothing', '    look(ctx, newest.invoiceId)\n', ''),
  invoice('a press has an old code looked for once', 'if (ctx.at < until && !all.some(isSettled))', 'if (ctx.at < 0)'),
  invoice('a code is made on old notices', '|| Math.abs(ctx.at - toldAt) > codeNoticesMs', ''),
  invoice('a code is made on the notices of an earlier life', 'toldAt === undefined ||', 'toldAt !== undefined &&'),
  card('a code is shown on old notices', 'url === undefined || !isTold', 'url === undefined'),
  card('a press of which nothing came says nothing', 'looked.failure ? t.lookFailed : t.notFound', 't.looked'),
  card('a code that is no longer looked for is shown', 'if (hitch || !isWatched)', 'if (hitch)'),
  invoice('a payment is told at every look', '&& isNews(one, found.payment)', ''),
  invoice('a code is looked for while nobody sees it', '&& !anyVisible(ctx)\n', '&& false\n'),
  invoice('a list of buyers is ignored', "terms.terms.access.mode === 'allowlist'", 'ctx.at < 0'),
  invoice('a failed look is the last', 'goOn(ctx, namesakes(ctx, invoice), failure)', 'invoice'),
  invoice(
    'an old code is looked for without end',
    'if (!isOver(ctx, all)) return lookAgain(ctx, invoiceId)',
    'return lookAgain(ctx, invoiceId)',
  ),
  invoice('a slot to come is believed', 'boundedSlot(ctx, by, one.slot)', 'one.slot'),
  keyOut(
    'a key that another account used is used up',
    '.filter(order => order.account === account)\n  const isSure',
    '\n  const isSure',
  ),
  keyOut('one node’s list ends a split vote', ' && !unsureSignatures.has(signature)', ''),
  keyOut('a split vote never ends', ' || at - (order.times.finalised ?? 0) > outlivedMs', ''),
  keyOut('a code beside an unasked order draws its own key', ' || (isAccepted(one) && !isSend(one))', ''),
  judge(
    'an order is paid beside a payment of its key',
    'keyRefusal(ctx, { ...order.accepted, account: order.account, signature: orderSignatureOf(order) }) ??\n    ',
    '',
  ),
  judge('a payment that a fork dropped holds orders back', '!dropped.includes(one.signature) && ', ''),
  place('an order is pressed beside a payment of its key', ' ?? keyRefusal(ctx, { account, orderKey })', ''),
  place('an old code is not looked for again', 'if (code !== undefined)', 'if (code === "")'),
  driver('one endpoint makes a payment of a code final', 'votes.against === 0 && look > looksForFinal', 'true'),
  driver('a silent endpoint holds a payment back for ever', ' && look > looksForFinal', ' && look < 0'),
  driver('a listed slot makes a denial silence', 'mayBeDropped ? payment.slot : undefined', 'payment.slot'),
  look('a young code is old', 'ctx.at - openedAt > historyMs', 'ctx.at >= openedAt'),
  now('an account counts beyond its limit', 'lesser(sum, BigInt(terms.terms.maxBuyer))', 'sum'),
  card('a refused payment of a code looks bought', '    judged,\n    isOther', '    isOther'),
  card(
    'a stranger’s payment hides the code',
    'payment !== undefined && isOrderOf(invoice, payment)',
    'payment !== undefined',
  ),
  invoice('a person who comes back waits for the next look', 'lookSoon(ctx, one.invoiceId, 0)\n}', 'void one\n}'),
  invoice('a code needs no statements', 'const early = pressRefusal(ctx, data)', 'const early = undefined'),
  fold('a payment by code is no purchase', 'notePurchase(model, buyer, payment, at)', 'void at'),
  fold('every code is kept', 'index < kept ||', 'index < 99 ||'),
  trace('any purchase pays a code', 'payment.memo.id !== orderKey', 'payment.memo.id === undefined'),
  trace('the latest payment is the code’s', 'a.payment.slot - b.payment.slot', 'b.payment.slot - a.payment.slot'),
  trace('a walk begins anew at each look', 'walk.tail = [...walk.tail.slice(-1), signature]', 'void signature'),
  trace(
    'a node that forgot the place ends the walk',
    'if (goesOn && lines[0]?.signature !== last)',
    'if (last === "")',
  ),
  trace('a look reads whatever is listed', '.slice(0, invoiceReads)', ''),
  trace('a walk that has begun forgets the last one', 'new Map([...trace.found, ...walk.found])', 'walk.found'),
  given('a payment stays not where it was known', '(signature === code.signature ? 8 : 0)', '0'),
  given('a payment without the memo goes to the newest', 'isAmount ? 1 : 0', '0'),
  link('a wallet is not told the reference', "    ['reference', reference],\n", ''),
  link('a wallet is not told the memo', "    ['memo', memo],\n", ''),
  payout('a stranger’s transfer is a refund', '(account.asset === undefined || moved.from === sale.treasury)', 'true'),
  payout(
    'a plan counts before it is announced',
    'if (!isTreasury && plan === undefined) return undefined',
    'if (isTreasury && plan === undefined) return undefined',
  ),
  payout('another sale’s payout counts', ' || memo.presale !== sale.mark', ''),
  payout('a transfer of anybody counts', 'moved && signers.includes(moved.from) && accounts', 'moved && accounts'),
  purchase('payouts are looked for once', '    if (payouts) lookAgain(ctx)\n', ''),
  purchase(
    'payouts are read while nobody looks',
    "if (id === 'payouts' && !anyVisible(ctx)) return lookAgain(ctx)",
    '',
  ),
  purchase('known payouts are read again', '[...purchases, ...proved].filter', '[...purchases].filter'),
  plans('a plan’s file counts whatever its hash', 'if (hashText(text) !== hash) return undefined', ''),
  plans('another sale’s plan counts', 'if (plan.presale !== presaleRef) return undefined', ''),
  plans('the newest plans are read first', 'hash => !tried.has(hash))\n', 'hash => !tried.has(hash)).reverse()\n'),
  plans('the usual accounts are told again', '!seen.has(address) && seen.add(address)', 'address'),
  rows('a refund counts whatever it paid', 'sum > BigInt(one.units ?? 0) || ', ''),
  rows('a refund in another asset counts', ' || owed.some(([, row]) => row.asset !== one.asset)', ''),
  rows('a refund for several payments is told of one', 'places.every(({ length }) => length === 1) && ', ''),
  rows('a refund that is planned twice is told of two payments', ' && new Set(places.flat()).size === rows.length', ''),
  rows('a refund that the books have is told by its amount', 'accounted || more', 'more'),
  rows('a refund of a payment that is not listed is told of another', 'accounted || more', 'accounted'),
  rows('a plan with other refunds tells of the payments', ' || amounts(rows) !== amounts(payments)', ''),
  rows('one of two alike came back with the first refund', 'came.length === alike.length ? ', 'true ? '),
  card('a code does not tell whom a buyer trusts', '      <TreasuryNote known={known} />\n', ''),
  dock(
    'the dock does not tell whom a buyer trusts',
    '{paying.includes(action.does) && <TreasuryNote',
    '{false && <TreasuryNote',
  ),
  order(
    'a new quote does not tell whom a buyer trusts',
    '{paying.includes(action.does) && <TreasuryNote',
    '{false && <TreasuryNote',
  ),
  ticks('ticks hold for other terms', '`mai.acknowledged.${termsHash}`', '`mai.acknowledged.${termsHash && ""}`'),
  ticks('ticks stay as the terms change', 'kept.termsHash !== termsHash', 'kept.termsHash === undefined'),
  rows('a refund came back before it is final', 'payouts.filter(isFinal)', 'payouts'),
  rows('a payout of another amount proves a payment', 'missing !== 0n && (left', 'false && (left'),
  rows('a part that others make up, too, proves a payment', ' || rows.length !== 2', ''),
  rows('a claim is awaited twice', '!claims.some(claim => taken.has(claim)) && ', ''),
  rows('a later plan stands for an unpaid one', ' || a.age - b.age', ''),
  bought('a failed sale owes again what came back', 'BigInt(paid.units) - came)', 'BigInt(paid.units) - 0n * came)'),
  bought('a payment beside a counted one gives tokens', "...(twice.get(key) && { quoted: '0' })", ''),
  press('a refused press holds the next one back', '    finish()\n    setRefusal', '    setRefusal'),
  press('a refused press owns the next order', '    expected.current = undefined\n    finish()', '    finish()'),
  core('a refusal outlives its life', 'delete model.invoice?.refused\n', 'void model.invoice\n'),
  rows('a paid claim is awaited again', 'arrived.flatMap(one => claimsOf(read, one))', '[] as string[]'),
  payoutFold('a failed reading forgets the payouts', '...before, failure', 'failure'),
]
