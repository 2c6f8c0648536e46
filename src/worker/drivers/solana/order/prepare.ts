import type { EffectData } from '../../../../events/effect.ts'
import { Fault } from '../../../../runtime/failure.ts'
import { toBigint } from '../../../../events/values/amount.ts'
import { orderMemo } from '../../../../events/sale/payments/memo.ts'
import { assetOf, canonicalTerms, type Terms, type TermsAsset } from '../../../../events/sale/terms/terms.ts'
import { decodeTransaction } from '../../../chains/solana/decode.ts'
import { orderKeys } from '../../../chains/solana/orderKeys.ts'
import { readMintDecimals, readTokenAccount } from '../../../rpc/accountData.ts'
import { type Funds, unaffordable } from '../../../rpc/affordability.ts'
import {
  type AccountInfo,
  genesisHash,
  latestBlockhash,
  prioritizationFees,
  readAnswer,
  simulation,
} from '../../../rpc/answers.ts'
import {
  cappedPrice,
  computeLimit,
  fallbackComputeLimit,
  feeOf,
  maxComputeLimit,
  minComputeLimit,
  priorityPrice,
} from '../../../rpc/fees.ts'
import { readTransactionError, refusedFault } from '../../../rpc/transactionErrors.ts'
import { hashText } from '../../../services/notices.ts'
import { toBase64 } from '../../../walletconnect/crypto/encoding.ts'
import type { BytesStore } from '../../bytes.ts'
import { answered, drive } from '../../drive.ts'
import type { Drive } from '../../../../runtime/host/driver.ts'
import type { Rpc } from '../rpc.ts'
import { buildOrder, type OrderMessage, type Payment } from './build.ts'
import { readAccounts } from '../sale/accountsReader.ts'

/** A person waits who has pressed: a node's longer pause fails the order, which may be placed again, ms. */
const personWaitsMs = 15_000

type Ask = EffectData['chain.prepareOrder']

/**
 * Builds an order's transaction, simulates it on a node, and stores the unsigned bytes. Loaded shortly before an order, with
 * the library that builds transactions. One function: `look` and `tryOut` are its two requests.
 */
export function createPrepareDriver({ rpc, bytes }: { rpc: Rpc; bytes: BytesStore }): { 'chain.prepareOrder': Drive } {
  /** All from one node at one moment, as fees, balances and the blockhash belong together. */
  const look = async (plan: Plan, terms: Terms) => {
    const calls = [
      { method: 'getGenesisHash', params: [] },
      { method: 'getLatestBlockhash', params: [{ commitment: 'confirmed' }] },
      { method: 'getRecentPrioritizationFees', params: [[plan.payment.to]] },
      { method: 'getMultipleAccounts', params: [plan.places, { encoding: 'base64', commitment: 'confirmed' }] },
    ]
    const [chain, hash, fees, accounts] = await rpc.together(calls, { deadlineMs: personWaitsMs })
    const genesis = readAnswer(genesisHash, rpc.result(chain, 'getGenesisHash'), 'getGenesisHash')
    const expected = terms.cluster.genesisHash
    if (genesis !== expected) {
      throw new Fault('wrong_cluster', `the Solana RPC expected genesis hash ${expected}, got ${genesis}`)
    }
    const { context, value } = readAnswer(latestBlockhash, rpc.result(hash, 'getLatestBlockhash'), 'getLatestBlockhash')
    // Some nodes do not report recent fees; an order needs no priority fee
    const recent = fees && 'result' in fees ? readAnswer(prioritizationFees, fees.result, 'prioritization fees') : []
    return {
      slot: context.slot,
      blockhash: value.blockhash,
      validUntilHeight: value.lastValidBlockHeight,
      price: priorityPrice(recent.map(one => one.prioritizationFee)),
      found: readAccounts(rpc.result(accounts, 'getMultipleAccounts'), plan.places).found,
    }
  }

  const tryOut = async (unsigned: Uint8Array): Promise<{ err: unknown; consumed: number | undefined }> => {
    const options = { encoding: 'base64', sigVerify: false, replaceRecentBlockhash: false, commitment: 'confirmed' }
    const result = await rpc.call('simulateTransaction', [toBase64(unsigned), options])
    const { value } = readAnswer(simulation, result, 'simulateTransaction')
    return { err: value.err ?? null, consumed: value.unitsConsumed ?? undefined }
  }

  return {
    'chain.prepareOrder': drive<Ask>(async ask => {
      const { orderId, terms } = ask
      const plan = planOf(ask)
      const { slot, blockhash, validUntilHeight, price, found } = await look(plan, terms)
      const { account, memo, payment, references } = plan
      const messageWith = (limit: number): OrderMessage => {
        return { account, blockhash, limit, price: cappedPrice(price, limit), memo, payment, references }
      }
      const feeWith = (limit: number) => feeOf(limit, cappedPrice(price, limit))
      const means = meansOf(plan, terms, found)

      // The exact fee is known only after the simulation: fail now if even the lowest fee is unaffordable, with the amounts of
      // the usual fee.
      const likely = unaffordable({ ...means, fee: feeWith(fallbackComputeLimit) })
      const hopeless = unaffordable({ ...means, fee: feeWith(minComputeLimit) })
      if (hopeless && hopeless.code !== 'rent') throw likely ?? hopeless

      const { err, consumed } = await tryOut(buildOrder(messageWith(maxComputeLimit)))
      const error = readTransactionError(err)
      if (error) {
        const refused = refusedFault(error, payment.kind)
        throw likely?.code === refused.code ? likely : refused
      }
      const limit = consumed === undefined || consumed === 0 ? fallbackComputeLimit : computeLimit(consumed)
      const fee = feeWith(limit)
      const tooLittle = unaffordable({ ...means, fee })
      if (tooLittle) throw tooLittle

      const unsigned = buildOrder(messageWith(limit))
      return answered({
        type: 'chain.orderPrepared',
        data: {
          orderId,
          bytesRef: await bytes.put(unsigned, orderId),
          blockhash,
          validUntilHeight,
          slot,
          orderRef: plan.orderRef,
          buyerRef: plan.buyerRef,
          memo,
          fee: String(fee),
          unitsConsumed: consumed ?? 0,
          decoded: decodeTransaction(unsigned),
        },
      })
    }),
  }
}

/** The order's content, and the accounts to read first: buyer, treasury, and for tokens source, destination, mint. */
type Plan = {
  account: string
  asset: TermsAsset
  memo: string
  payment: Payment
  orderRef: string
  buyerRef: string
  references: string[]
  places: string[]
}

function planOf({ order, terms }: Ask): Plan {
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
  const rest = { account, asset, memo: text, buyerRef, orderRef, references }
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

type MeansWithoutFee = Funds extends infer M ? (M extends Funds ? Omit<M, 'fee'> : never) : never

/** Reads the paying accounts. @throws Fault when the treasury's side differs from the terms */
function meansOf(plan: Plan, terms: Terms, found: readonly (AccountInfo | null)[]): MeansWithoutFee {
  const [buyer, treasury, sourceAccount, destination, mintAccount] = found
  const lamports = BigInt(buyer?.lamports ?? 0)
  if (lamports === 0n) {
    throw new Fault('account_not_found', 'the account expected to hold SOL for the fee, got none')
  }
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
