/** Beginnings of stories: a page is attached, the chain is known, the sale is read, a wallet is connected. */
import type { EffectData } from '../../src/events/effect.ts'
import type { WalletFeature } from '../../src/events/schema/fields.ts'
import { builtOf, type Order } from '../../src/events/subjects/order/order.ts'
import { orderMemo } from '../../src/events/sale/payments/memo.ts'
import { quotePaying } from '../../src/events/sale/quote.ts'
import { baseline, readSale } from '../../src/events/sale/sale.ts'
import type { Terms } from '../../src/events/sale/terms/termsShape.ts'
import type { DecodedTransaction, ExpectedTransfer } from '../../src/events/values/solana/transaction.ts'
import type { BootData, InputData } from '../../src/worker/core/context.ts'
import { exampleTerms, exampleTermsHash } from '../events/values/exampleTerms.ts'
import { createWorld, noon, type World } from './world.ts'

export const terms = exampleTerms()
export const termsHash = exampleTermsHash
export const genesisHash = terms.cluster.genesisHash
export const caip2 = `solana:${genesisHash.slice(0, 32)}`
export const account = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin'
export const other = 'FDCPLBDvXwCwLnxokbB1FuTQD4MvpE1JHJoJWdemNEyT'
export const lantern = { walletId: 'lantern', name: 'Lantern' }
export const walletConnect = { walletId: 'walletConnect', name: 'WalletConnect' }

export const balances = { SOL: '1000000000', USDC: '0' }
export const notices: InputData<'chain.notices'> = {
  termsHash,
  paused: false,
  closed: false,
  checkpoint: { slot: 900, time: noon - 3_600_000, balances, raised: '0', pos: '0' },
}
export const saleReading = (slot = 1000, chainTime = noon): InputData<'chain.sale'> => ({ slot, chainTime, balances })

/** A core after its boot, with one attached page. */
export function begun(changes: Partial<BootData> = {}): World {
  const world = createWorld(changes)
  world.boot()
  world.attach()
  return world
}

/** The same, with the chain and the sale known. */
export function ready(changes: Partial<BootData> = {}): World {
  const world = begun(changes)
  world.answer('chain.identify', 'chain.identified', { genesisHash, caip2 })
  readSaleIn(world)
  return world
}

/** Answers the sale decider's readings of terms and notices. */
export function readSaleIn(
  world: World,
  said: Partial<InputData<'chain.notices'>> = {},
  slot = 1000,
  published: Terms = terms,
): void {
  world.answer('chain.readTerms', 'chain.terms', {
    terms: published,
    termsHash,
    presaleRef: 'presale-ref',
    noticeRef: 'notice-ref',
  })
  world.answer('chain.readNotices', 'chain.notices', { ...notices, ...said })
  world.answer('chain.readSale', 'chain.sale', saleReading(slot, world.at))
  world.answer('sale.readLegal', 'sale.legal', { sha256: terms.legal.sha256, url: terms.legal.url })
  world.answer('sale.readContent', 'sale.content', {})
}

/** The same, with an installed wallet connected. */
export function connected(features: WalletFeature[] = ['signTransaction'], changes: Partial<BootData> = {}): World {
  const world = ready(changes)
  connectInstalled(world, features)
  return world
}

export function connectInstalled(world: World, features: WalletFeature[] = ['signTransaction']): void {
  world.command('connection.connectInstalled', { walletKey: 'k1', wallet: lantern })
  world.answer('wallet.connect', 'wallet.connected', { accounts: [account], features })
  world.answer('chain.readBalances', 'chain.balances', { account, slot: 1000, amounts: { SOL: '20000000000' } })
}

/** Data of a command for 2.5 SOL at the current price. */
export function intent(world: World, changes: Partial<InputData<'order.place'>> = {}): InputData<'order.place'> {
  const { reading } = world.model.sale
  const sale = readSale(terms, notices.checkpoint ?? baseline({}), reading?.balances ?? balances, world.at)
  const { tokens, min } = quotePaying(terms, { pos: sale.pos, time: world.at }, 'SOL', '2500000000')
  return {
    orderKey: '00112233445566ff',
    asset: 'SOL',
    units: '2500000000',
    quoted: tokens,
    min,
    termsHash,
    acknowledged: ['terms', 'region', 'risk'],
    ...changes,
  }
}

/** Content of an order's unsigned or signed bytes, in either asset. */
export function decodedOf(
  order: EffectData['chain.prepareOrder']['order'],
  blockhash = 'hash-1',
  { treasury }: Pick<Terms, 'treasury'> = terms,
): DecodedTransaction {
  return {
    feePayer: order.account,
    blockhash,
    instructions: [
      { kind: 'computeLimit', units: 20_000 },
      { kind: 'computePrice', microLamports: '0' },
      { kind: 'memo', text: memoOf(order) },
      paymentOf(order, treasury),
    ],
    signers: [order.account],
  }
}

type OrderToPay = EffectData['chain.prepareOrder']['order']

function paymentOf(order: OrderToPay, treasury: string): ExpectedTransfer {
  const { account: from, units } = order
  const { references, source = '', destination = '' } = derivedOf(order, treasury)
  const { mint, decimals = 0 } = terms.assets.find(listed => listed.symbol === order.asset) ?? {}
  if (mint === undefined) return { kind: 'transfer', from, to: treasury, lamports: units, references }
  return { kind: 'tokenTransfer', source, mint, destination, owner: from, amount: units, decimals, references }
}

/** The order's memo. */
export function memoOf({ termsHash: hash, orderKey: id, asset, units, quoted, min, referrer }: OrderToPay): string {
  return orderMemo({ terms: hash.slice(0, 16), id, asset, units, quoted, min, ...(referrer ? { referrer } : {}) })
}

/** Keys of an order, as short words. */
export function derivedOf({ account: of, orderKey, asset }: OrderToPay, treasury = terms.treasury) {
  const references = ['presale-ref', `buyer-${of}`, `order-${orderKey}`]
  if (asset === 'SOL') return { references }
  return { references, source: `usdc of ${of}`, destination: `usdc of ${treasury}` }
}

/** The answer to `chain.prepareOrder`: bytes that expire at height 150. */
export function preparedOf(
  { orderId, order, terms: { treasury } }: EffectData['chain.prepareOrder'],
  { blockhash = 'hash-1', validUntilHeight = 150, slot = 1000 } = {},
): InputData<'chain.orderPrepared'> {
  return {
    orderId,
    bytesRef: `unsigned-${blockhash}`,
    blockhash,
    validUntilHeight,
    slot,
    orderRef: `order-${order.orderKey}`,
    buyerRef: `buyer-${order.account}`,
    memo: memoOf(order),
    fee: '5000',
    unitsConsumed: 9000,
    decoded: decodedOf(order, blockhash, { treasury }),
    derived: derivedOf(order, treasury),
  }
}

/** The only order. */
export function theOrder(world: World): Order {
  const [order, ...more] = Object.values(world.model.order).filter(one => !one.dismissed)
  if (!order || more.length > 0) throw new Error(`expected one order, got ${more.length + (order ? 1 : 0)}`)
  return order
}

/** Presses buy and builds the transaction. */
export function placed(world: World): void {
  world.command('order.place', intent(world))
  world.answer('chain.prepareOrder', 'chain.orderPrepared', preparedOf(world.last('chain.prepareOrder').data))
}

/** A wallet's answer that signs the transaction unchanged. */
export function signedOf(world: World): InputData<'wallet.signed'> {
  const { order } = world.last('chain.prepareOrder').data
  const { blockhash = '' } = builtOf(theOrder(world)) ?? {}
  return { signature: 'sig-1', bytesRef: `signed-${blockhash}`, decoded: decodedOf(order, blockhash) }
}

/** Answers the gate's readings; by default all is well, a code under its key is unpaid, and 100 blocks are left. */
export function throughGate(
  world: World,
  { height = 18, sale = saleReading(1001, world.at), said = notices } = {},
): ReturnType<World['input']> {
  const { orderId } = theOrder(world)
  world.answer('chain.readSale', 'chain.sale', sale)
  world.answer('chain.readNotices', 'chain.notices', said)
  if (world.ordered('chain.watchInvoice').some(({ answered }) => !answered))
    world.answer('chain.watchInvoice', 'chain.invoice', { reference: 'code' })
  world.answer('chain.watch', 'chain.status', { orderId, height, nodeSlot: 1001, heightSlot: 1000 })
  return world.fire(`gate:${orderId}`)
}

/** Answer to `chain.watch`: by default nothing is seen yet and nothing has expired. */
export function statusOf(world: World, changes: Partial<InputData<'chain.status'>> = {}): InputData<'chain.status'> {
  return {
    orderId: theOrder(world).orderId,
    height: 0,
    nodeSlot: 1002,
    heightSlot: 1000,
    ...expiredOf(changes),
    ...changes,
  }
}

/** Endpoints with a proof also report the blockhash as expired. */
function expiredOf({ proofs }: Partial<InputData<'chain.status'>>): Partial<InputData<'chain.status'>> {
  return proofs ? { blockhashes: proofs.map(() => 'expired' as const) } : {}
}

/** The core watches the order once more, and the chain answers. */
export function watched(world: World, changes: Partial<InputData<'chain.status'>> = {}) {
  world.fire(`watch:${theOrder(world).orderId}`)
  return world.answer('chain.watch', 'chain.status', statusOf(world, changes))
}

type Proof = NonNullable<InputData<'chain.status'>['proofs']>[number]

/** One endpoint's proof that the order of this world never landed. */
export const proof = (changes: Partial<Proof> = {}): Proof => {
  return {
    height: 151,
    heightSlot: 1200,
    answerSlot: 1232,
    unseen: true,
    whole: true,
    ...changes,
  }
}

/** A minute passes, the blockhash expires, and every asked endpoint proves that nothing landed. */
export function gone(world: World, proofs: Proof[] = [proof()]) {
  watched(world, { height: 151 })
  world.wait(60_000)
  return watched(world, { height: 151, proofs })
}

type Landed = NonNullable<InputData<'chain.status'>['landed']>[number]

/** A transaction on the chain under the order's reference, by default the order as built. */
export function landedOf(world: World, changes: Partial<Landed> = {}): Landed {
  const { order } = world.last('chain.prepareOrder').data
  const decoded = decodedOf(order, builtOf(theOrder(world))?.blockhash)
  return { signature: 'sig-7', status: 'confirmed', slot: 1010, decoded, ...changes }
}

/** A signed and sent order. */
export function sent(changes: Partial<BootData> = {}): World {
  const world = connected(['signTransaction'], changes)
  placed(world)
  world.answer('wallet.signTransaction', 'wallet.signed', signedOf(world))
  throughGate(world)
  return world
}
