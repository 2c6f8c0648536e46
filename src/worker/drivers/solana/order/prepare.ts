import type { EffectData } from '../../../../events/effect.ts'
import { Fault } from '../../../../runtime/failure.ts'
import { toBigint } from '../../../../events/values/amount.ts'
import { orderMemo } from '../../../../events/sale/payments/memo.ts'
import { assetOf, canonicalTerms, type Terms, type TermsAsset } from '../../../../events/sale/terms/terms.ts'
import { orderKeys } from '../../../chains/solana/orderKeys.ts'
import { readMintDecimals, readTokenAccount } from '../../../rpc/accountData.ts'
import type { AccountInfo } from '../../../rpc/answers.ts'
import { hashText } from '../../../services/notices.ts'
import type { BytesStore } from '../../bytes.ts'
import { answered, drive } from '../../drive.ts'
import type { Drive } from '../../../../runtime/host/driver.ts'
import type { Rpc } from '../rpc.ts'
import { memberFor, type SaleBackend, type SaleMembers } from '../sale/saleBackend.ts'
import { uncontradicted } from '../sale/uncontradicted.ts'
import { buildFrom, type Content, lamportsOf, type MeansWithoutFee } from './assemble.ts'
import { curveOf } from '../../../../events/sale/price.ts'
import type { Guard } from './build.ts'

type Ask = EffectData['chain.prepareOrder']

/** Builds a purchase's transaction. Loaded shortly before an order, with the library that builds transactions. */
export function createPrepareDriver(ports: { rpc: Rpc; bytes: BytesStore }): { 'chain.prepareOrder': Drive } {
  return {
    'chain.prepareOrder': drive<Ask>(async ask => {
      const { buildPurchase } = memberFor(purchaseBuilders, ask.terms)
      const data = await uncontradicted(ports.rpc, (rpc = ports.rpc) => buildPurchase({ ...ports, rpc }, ask))
      return answered({ type: 'chain.orderPrepared', data })
    }),
  }
}

/** Builds one transfer to the treasury, with the order's memo and references. */
const buildPurchase: SaleBackend['buildPurchase'] = async (ports, ask) => {
  const plan = planOf(ask)
  const { built } = await buildFrom(ports, plan, found => ({ content: plan, means: meansOf(plan, ask.terms, found) }))
  const { orderRef, buyerRef, memo } = plan
  return { ...built, orderRef, buyerRef, memo }
}

export const purchaseBuilders: SaleMembers<'buildPurchase'> = { direct: { buildPurchase } }

/** The order's content, and the accounts to read first: buyer, treasury, and for tokens source, destination, mint. */
type Plan = Content & { asset: TermsAsset; orderRef: string; buyerRef: string }

function planOf({ orderId, order, terms, guard: wanted }: Ask): Plan {
  const { account, orderKey, units, quoted, min, referrer, termsHash } = order
  const hash = hashText(canonicalTerms(terms))
  if (hash !== termsHash) throw new Fault('terms_changed', `the order expected terms ${termsHash}, got ${hash}`)
  const { references, source = '', destination: to = '' } = orderKeys(order, terms)
  const [presale = '', buyerRef = '', orderRef = ''] = references
  if (presale !== order.presaleRef) {
    throw new Fault('bad_input', `the order expected presale ${order.presaleRef}, its terms are of ${presale}`)
  }
  const asset = assetOf(terms, order.asset)
  const { treasury } = terms
  if (account === treasury) throw new Fault('bad_input', 'the treasury cannot buy from itself')
  const amount = toBigint(units)
  if (amount === 0n || amount >= 1n << 64n) {
    throw new Fault('bad_input', `an order expected 1 to 2^64 - 1 base units, got ${units}`)
  }
  const text = orderMemo({
    terms: termsHash.slice(0, 16),
    id: orderKey,
    asset: asset.symbol,
    units,
    quoted,
    min,
    ...(referrer === undefined ? {} : { referrer }),
  })
  const { genesisHash } = terms.cluster
  const guard = wanted && guardOf({ asset, amount, place: asset.mint === undefined ? treasury : to }, terms, wanted)
  const rest = {
    orderId,
    account,
    genesisHash,
    asset,
    memo: text,
    buyerRef,
    orderRef,
    references,
    ...(guard && { guard }),
  }
  const { mint, decimals } = asset
  if (mint === undefined) {
    return { ...rest, payment: { kind: 'native', to: treasury, units: amount }, places: [account, treasury] }
  }
  return {
    ...rest,
    payment: { kind: 'spl', source, mint, to, units: amount, decimals },
    places: [account, treasury, source, to, mint],
  }
}

/** Reads the paying accounts. @throws Fault when the treasury's side differs from the terms */
function meansOf(plan: Plan, terms: Terms, found: readonly (AccountInfo | null)[]): MeansWithoutFee {
  const [, treasury, sourceAccount, destination, mintAccount] = found
  const lamports = lamportsOf(found)
  const { payment, asset } = plan
  const { units } = payment
  if (payment.kind === 'native') {
    return { kind: 'native', lamports, units, treasuryLamports: BigInt(treasury?.lamports ?? 0) }
  }
  const decimals = readMintDecimals(mintAccount)
  if (decimals !== asset.decimals) {
    const sentence = `the mint of ${asset.symbol} expected ${asset.decimals} decimals, got ${decimals ?? 'no mint'}`
    throw new Fault('decimals', sentence, { expected: asset.decimals, ...(decimals === undefined ? {} : { decimals }) })
  }
  const vault = readTokenAccount(destination, `the treasury's ${asset.symbol} account`)
  if (vault?.owner !== terms.treasury || vault.mint !== payment.mint) {
    const sentence = `the treasury's ${asset.symbol} account expected owner ${terms.treasury}, got ${vault?.owner ?? 'none'}`
    throw new Fault('treasury_mismatch', sentence)
  }
  const source = readTokenAccount(sourceAccount, `the ${asset.symbol} account`)
  const own = source?.owner === plan.account && source.mint === payment.mint
  return { kind: 'spl', symbol: asset.symbol, lamports, units, holds: own ? source.amount : undefined }
}

type Guarded = { asset: TermsAsset; amount: bigint; place: string }

/**
 * The treasury's highest balance before the payment with which the whole payment stays below the cap, if everything that came counts.
 *
 * @returns undefined for a payment that exceeds the cap by itself: its buyer agreed to the part
 */
function guardOf(
  { asset, amount, place }: Guarded,
  terms: Terms,
  { mostPos, balances }: NonNullable<Ask['guard']>,
): Guard | undefined {
  const room = (curveOf(terms).hardCap - toBigint(mostPos)) / BigInt(asset.creditsPerUnit)
  if (amount > room) return undefined
  const most = toBigint(balances[asset.symbol] ?? '0') + room - amount
  return { account: place, of: asset.mint === undefined ? 'lamports' : 'token', most }
}
