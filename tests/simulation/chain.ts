/**
 * A minimal chain: a block every 400 ms, confirmed after 2, final after 32; the same bytes land once, before they expire.
 * Nodes lag, refuse and fail; blocks are dropped before they are final; the team publishes notices.
 */
import type { EffectData } from '../../src/events/effect.ts'
import { type Failure, type FailureCode, Fault, toFailure } from '../../src/runtime/failure.ts'
import type { InputData } from '../../src/worker/core/context.ts'
import { caip2, genesisHash, notices, preparedOf, saleReading, terms } from '../worker/story.ts'
import { preparedSend, tokens } from '../worker/deciders/order/sendStory.ts'
import type { Dice } from './dice.ts'
import { contentOf, isSendToPay, type OrderToPay, referenceOf } from './payments.ts'
import type { Queue } from './runtime/queue.ts'
import { createTermsHost, otherGenesis } from './termsHost.ts'

const blockMs = 400
const blockhashLife = 150
const finality = 32
const firstHeight = 1000
/** A blockhash, named by its height. */
const blockhashAt = (height: number) => `blockhash-${height}`
const heightOf = (blockhash: string) => Number(blockhash.slice('blockhash-'.length))
/** Offset of a false height. */
export const claims = 1_000_000
const emptyContent = { questions: [], links: [] }

type Built = { orderId: string; order: OrderToPay; treasury: string; blockhash: string; validUntilHeight: number }
type Landed = { ref: string; order: OrderToPay; height: number; failed: boolean }
export type Answered = { type: string; data: Record<string, unknown> }

const refusedByProgram = { code: 'on_chain_error', message: 'the program refused' } as const
const failed = (code: FailureCode, message: string = code): Answered => ({
  type: 'effect.failed',
  data: { failure: { code, message } satisfies Failure },
})

/** References and pace, as the driver gives them. */
const published = { presaleRef: 'presale-ref', noticeRef: 'notice-ref', noticesEvery: 3, pollMs: 28_000 }

export function createChain(queue: Queue, dice: Dice) {
  const start = queue.now()
  const height = () => firstHeight + Math.floor((queue.now() - start) / blockMs)
  /** by the name of the unsigned bytes */
  const built = new Map<string, Built>()
  /** bytes stored on this device, by name */
  let kept = new Set<string>()
  /** transactions by signature */
  const landed = new Map<string, Landed>()
  /** notices of the team */
  const said = { ...notices }
  const host = createTermsHost(dice)
  let checkpointAt = queue.now() + 60_000

  const nameOf = (ref: string) => ref.replace(/^signed by wallet: |^altered by wallet: /, '')
  const isAltered = (ref: string) => ref.startsWith('altered by wallet: ')
  const signatureOf = (ref: string) => `signature of ${nameOf(ref)}${isAltered(ref) ? ', altered' : ''}`
  function named(ref: string): Built {
    const found = built.get(nameOf(ref))
    if (!found) throw new Error(`the world expected bytes that were built, got ${ref}`)
    return found
  }

  /** payments by codes that another person scanned, by their invoices */
  const scanned = new Map<string, { asset: string; units: string; quoted: string; height: number }>()

  const paid = (asset: string, upTo: number) =>
    [
      ...[...landed.values()]
        .filter(one => !one.failed && !isSendToPay(one.order))
        .map(one => ({ ...one, ...one.order })),
      ...scanned.values(),
    ]
      .filter(one => 'asset' in one && one.asset === asset && one.height <= upTo)
      .reduce((sum, one) => sum + BigInt(one.units), 0n)
  function balancesAt(upTo: number): Record<string, string> {
    const from = saleReading().balances
    return Object.fromEntries(
      terms.assets.map(({ symbol }) => [symbol, String(BigInt(from[symbol] ?? '0') + paid(symbol, upTo))]),
    )
  }

  function land(ref: string): void {
    const signature = signatureOf(ref)
    const { order: agreed, validUntilHeight } = named(ref)
    const order = isAltered(ref) ? doubled(agreed) : agreed
    if (landed.has(signature) || height() > validUntilHeight) return
    landed.set(signature, { ref, order, height: height(), failed: dice.strikes('chain.failsOnChain') })
    if (dice.strikes('chain.forks')) {
      // Its block is dropped; any holder of the bytes may resend them
      queue.after(dice.between('fork', 400, 11_000), 'outside', () => landed.delete(signature))
    }
  }

  const levelOf = (landedAt: number, seen: number): 'processed' | 'confirmed' | 'finalized' =>
    seen - landedAt >= finality ? 'finalized' : seen - landedAt >= 2 ? 'confirmed' : 'processed'

  const doubled = <O extends OrderToPay>(order: O): O => ({ ...order, units: String(BigInt(order.units) * 2n) })

  const paidFor = <O extends OrderToPay>(order: O): O =>
    dice.strikes('chain.buildsAnother') ? { ...order, units: String(BigInt(order.units) + 1n) } : order

  /** @returns the slots of new bytes for this order, and their name */
  function build(orderId: string, order: OrderToPay, treasury: string) {
    const blockhash = blockhashAt(height())
    const bytesRef = `unsigned-${order.orderKey}-${order.units}-${blockhash}`
    const slots = { blockhash, validUntilHeight: height() + blockhashLife, slot: height() }
    built.set(bytesRef, { orderId, order, treasury, blockhash, validUntilHeight: slots.validUntilHeight })
    kept.add(bytesRef)
    return { bytesRef, slots, decoded: contentOf(paidFor(order), blockhash, { treasury }) }
  }

  const simulationRefusals = ['insufficient_sol', 'simulation_failed', 'unreachable'] as const

  function prepare(asked: EffectData['chain.prepareOrder']): Answered {
    if (dice.strikes('order.contradicts'))
      return failed(dice.oneOf('contradiction of an order', ['treasury_mismatch', 'decimals'] as const))
    if (dice.strikes('chain.refusesSimulation')) return failed(dice.oneOf('simulation', simulationRefusals))
    const { bytesRef, slots, decoded } = build(asked.orderId, asked.order, asked.terms.treasury)
    return { type: 'chain.orderPrepared', data: { ...preparedOf(asked, slots), bytesRef, decoded } }
  }

  function prepareSend(asked: EffectData['chain.prepareSend']): Answered {
    if (dice.strikes('chain.refusesSimulation')) return failed(dice.oneOf('simulation', simulationRefusals))
    const isNew = asked.send.mint !== undefined && dice.chance('the recipient has no account', 0.4)
    const { bytesRef, slots, decoded } = build(asked.orderId, { ...asked.send, isNew }, '')
    return { type: 'chain.sendPrepared', data: { ...preparedSend(asked, { isNew }), ...slots, bytesRef, decoded } }
  }

  /** Height seen by an endpoint; some lag. */
  const seenBy = () => height() - (dice.strikes('rpc.lagging') ? dice.between('lag', 1, 300) : 0)

  /**
   * The second endpoint's nodes lag by themselves: its list may come from one that has not seen the height's slot and answers all
   * the same, without the payment.
   */
  function otherView(claimed: Landed | undefined) {
    const tip = height() - dice.between('lag of the other height', 0, 20)
    const seen = height() - dice.between('lag of the other list', 0, 300)
    const heightSlot = Math.max(0, tip - finality)
    const isShown = claimed !== undefined && claimed.height <= seen
    return { height: heightSlot, heightSlot, answerSlot: seen, unseen: !isShown, whole: true }
  }

  /**
   * A node knows every block up to the newest it has seen. Height and history may come from different nodes; one that has not
   * seen the height's slot refuses the list.
   */
  function watch(asked: EffectData['chain.watch']): Answered {
    const { orderId, signature, orderRef, account, fromSlot, search, own, judged = [], proves, blockhash } = asked
    const tip = seenBy()
    const seen = seenBy()
    const heightSlot = Math.max(0, tip - finality)
    const ofOrder = ([id, one]: [string, Landed]) =>
      one.height <= seen &&
      (id === signature ||
        (search && one.height >= fromSlot && one.height <= seen - 2 && orderRef === referenceOf(one.order)))
    const told = [...landed].filter(([, one]) => one.order.account === account).filter(ofOrder)
    const claimed = signature === undefined ? undefined : landed.get(signature)
    const isShown = claimed !== undefined && claimed.height <= seen
    const lines = told.flatMap(([id, { ref, order, height: slot, failed: isFailed }]) => {
      const status = levelOf(slot, seen)
      if (status === 'processed' || (id === signature && own)) return []
      const of = named(ref)
      const decoded = judged.includes(id) ? {} : { decoded: contentOf(order, of.blockhash, of) }
      return [{ signature: id, status, slot, ...(isFailed ? { error: refusedByProgram } : {}), ...decoded }]
    })
    // One endpoint, or two with a node each: all must answer
    const isClaimed = dice.strikes('rpc.claimsHeight')
    const claimedHeight = heightSlot + (isClaimed ? claims : 0)
    const proof = { height: claimedHeight, heightSlot, answerSlot: seen, unseen: !isShown, whole: true }
    const isTwo = dice.chance('two endpoints', 0.5)
    const other = isTwo && dice.strikes('rpc.splitView') ? otherView(claimed) : proof
    const all = isTwo ? [proof, other] : [proof]
    const lying = proves && dice.strikes('rpc.givesAnother') ? 1 : 0
    // The claim of a lying endpoint still counts as seen
    const proofs = isShown ? all : all.slice(lying)
    const isForgotten = blockhash !== undefined && !isClaimed && dice.strikes('rpc.forgetsBlockhash')
    const wordAt = (slot: number) =>
      isForgotten || slot > heightOf(blockhash ?? '') + blockhashLife ? ('expired' as const) : ('valid' as const)
    // The last endpoint does not answer the question for a blockhash
    const isSilent = proves && lying === 0 && dice.strikes('rpc.isSilent')
    const words = isSilent ? proofs.slice(1) : proofs
    const blockhashes = blockhash === undefined ? {} : { blockhashes: words.map(one => wordAt(one.heightSlot)) }
    const status = isShown && { status: levelOf(claimed.height, seen), slot: claimed.height }
    return {
      type: 'chain.status',
      data: {
        orderId,
        height: claimedHeight,
        nodeSlot: tip,
        ...status,
        ...(isShown && claimed.failed && { error: refusedByProgram }),
        ...(lines.length > 0 && { landed: lines }),
        ...(proves && seen >= heightSlot && { proofs, ...blockhashes }),
        heightSlot,
        ...(lying > 0 && { lying }),
        ...(isSilent && { silent: ['rpc.silent'] }),
      } satisfies InputData<'chain.status'>,
    }
  }

  function announce({ termsHash: held }: EffectData['chain.readNotices']): InputData<'chain.notices'> {
    if (dice.strikes('team.pauses')) said.paused = true
    else if (dice.chance('team resumes', 0.5)) said.paused = false
    if (dice.strikes('team.closes')) said.closed = true
    if (queue.now() >= checkpointAt) {
      checkpointAt = queue.now() + dice.between('checkpoint', 20_000, 200_000)
      const slot = Math.max(0, height() - finality)
      const credits = String(
        terms.assets.reduce((sum, one) => sum + paid(one.symbol, slot) * BigInt(one.creditsPerUnit), 0n),
      )
      said.checkpoint = { slot, time: queue.now(), balances: balancesAt(slot), raised: credits, pos: credits }
    }
    // Payouts are planned once the sale is closed
    return { ...said, termsHash: host.announced(), held, ...(said.closed && { plans: ['5'.repeat(64)] }) }
  }

  function readTerms(): Answered {
    try {
      return { type: 'chain.terms', data: { ...host.read(), ...published } }
    } catch (cause) {
      if (cause instanceof Fault) return { type: 'effect.failed', data: { failure: toFailure(cause) } }
      throw cause
    }
  }

  /** Failures of any call before a node handles it. */
  function refused(): Answered | undefined {
    if (dice.strikes('rpc.rateLimited')) return failed('rate_limited', 'the RPC answered 429')
    if (dice.strikes('rpc.broken')) return failed('bad_response', 'the RPC answered 503')
    return dice.strikes('rpc.unreachable') ? failed('unreachable') : undefined
  }

  const chain = {
    landed,
    isKept: (ref: string) => kept.has(ref),
    forget: (ref: string) => void kept.delete(ref),
    /** Switches the store of bytes. @returns the store before */
    keepIn(place: Set<string>): Set<string> {
      const before = kept
      kept = place
      return before
    },
    built,
    height,
    /** Time at which the block of this height is final. */
    finalAt: (of: number) => start + (of + finality + 1 - firstHeight) * blockMs,
    said,
    /** The team resumes the sale and restores its terms. */
    calm(): void {
      said.paused = false
      host.calm()
    },
    isAltered,
    orderOf: (ref: string) => named(ref).order,
    /** The order of these bytes, in any log. */
    nameOf: (ref: string) => `${named(ref).order.orderKey} ${named(ref).orderId}`,
    /** End of the final blocks, and the final payments of an account up to there. */
    finalOf(account: string) {
      const { purchases: all } = purchases({ account })
      return { slot: height() - finality, payments: all.filter(({ status }) => status === 'final') }
    },
    /** Whether the payment by these unsigned bytes landed. */
    isPaid(ref: string): boolean {
      return landed.get(signatureOf(ref))?.failed === false
    },
    /** A wallet's signature of given bytes, with its faults. */
    signed(ref: string): InputData<'wallet.signed'> {
      const of = named(ref)
      const { order, blockhash } = of
      if (dice.strikes('wallet.altersTransaction')) {
        const bytesRef = `altered by wallet: ${ref}`
        kept.add(bytesRef)
        const change = dice.oneOf('alteration', [
          contentOf(doubled(order), blockhash, of),
          contentOf(order, 'another-blockhash', of),
          { ...contentOf(order, blockhash, of), feePayer: 'somebody else' },
        ])
        return { signature: signatureOf(bytesRef), bytesRef, decoded: change }
      }
      const bytesRef = `signed by wallet: ${ref}`
      kept.add(bytesRef)
      return { signature: signatureOf(ref), bytesRef, decoded: contentOf(order, blockhash, of) }
    },
    signatureOf,
    /** Submits signed bytes: they land unless they landed already or expired. @returns their signature */
    send(ref: string): string {
      if (!dice.strikes('chain.loses')) land(ref)
      return signatureOf(ref)
    },
    /** A wallet sends the given bytes itself, or others in their place. @returns the signature */
    sendByWallet(ref: string): string {
      return chain.send(dice.strikes('wallet.sendsAnother') ? `altered by wallet: ${ref}` : ref)
    },
    refused,
    /** Answers an effect of the chain. */
    answer(type: string, data: never): Answered {
      switch (type) {
        case 'chain.identify':
          return dice.strikes('rpc.otherChain')
            ? {
                type: 'chain.identified',
                data: { genesisHash: otherGenesis, caip2: `solana:${otherGenesis.slice(0, 32)}` },
              }
            : { type: 'chain.identified', data: { genesisHash, caip2 } }
        case 'chain.readTerms':
          return readTerms()
        case 'chain.readNotices':
          return { type: 'chain.notices', data: announce(data) }
        case 'chain.readSale': {
          if (dice.strikes('sale.contradicts'))
            return failed(dice.oneOf('contradiction', ['treasury_mismatch', 'rpc_lying'] as const))
          const seen = seenBy()
          const behind = (height() - seen) * blockMs
          return {
            type: 'chain.sale',
            data: { ...saleReading(seen, queue.now() - behind), balances: balancesAt(seen) },
          }
        }
        case 'chain.readFeed': {
          if (dice.strikes('feed.lies'))
            return failed('rpc_lying', 'the list expected each transaction once, got one twice')
          const lines = [...landed].flatMap(([signature, { order, height: slot }]) => {
            if (isSendToPay(order) || slot > height() - 2) return []
            const { asset, units, quoted } = order
            return [{ signature, slot, paidAt: start + (slot - firstHeight) * blockMs, asset, units, quoted }]
          })
          return { type: 'chain.feed', data: { lines: lines.reverse().slice(0, 20), other: 0 } }
        }
        case 'sale.readLegal': {
          const named = data as EffectData['sale.readLegal']
          if (dice.strikes('legal.otherDocument')) return failed('terms_invalid', 'the document expected another hash')
          return { type: 'sale.legal', data: named }
        }
        case 'sale.readAccess':
          if (dice.strikes('allowlist.otherList')) return failed('terms_invalid', 'the list expected another hash')
          return {
            type: 'sale.access',
            data: { account: (data as EffectData['sale.readAccess']).account, allowed: true },
          }
        case 'sale.readContent':
          return { type: 'sale.content', data: dice.chance('content is there', 0.5) ? { content: emptyContent } : {} }
        case 'chain.readMint': {
          const decimals = terms.token.decimals + (dice.strikes('mint.otherDecimals') ? 1 : 0)
          return { type: 'chain.mint', data: { mint: terms.token.mint, decimals } }
        }
        case 'chain.readBalances': {
          const { account: asked, tokens: withTokens } = data as EffectData['chain.readBalances']
          const amounts = { SOL: '20000000000', USDC: '9000000000' }
          return {
            type: 'chain.balances',
            data: { account: asked, slot: height(), amounts, ...(withTokens && { tokens }) },
          }
        }
        case 'chain.readPurchases':
          return { type: 'chain.purchases', data: purchases(data as EffectData['chain.readPurchases']) }
        case 'chain.watchInvoice':
          return invoice(data as EffectData['chain.watchInvoice'])
        case 'chain.prepareOrder':
          return prepare(data)
        case 'chain.prepareSend':
          return prepareSend(data)
        case 'chain.insertSignature': {
          const { bytesRef } = data as EffectData['chain.insertSignature']
          if (!kept.has(bytesRef)) return failed('storage_down', 'the bytes expected to be kept, got none')
          const ref = `signed by wallet: ${bytesRef}`
          kept.add(ref)
          const of = named(bytesRef)
          const decoded = contentOf(of.order, of.blockhash, of)
          return { type: 'wallet.signed', data: { signature: signatureOf(bytesRef), bytesRef: ref, decoded } }
        }
        case 'chain.submit': {
          const { orderId, bytesRef, first } = data as EffectData['chain.submit']
          if (!kept.has(bytesRef)) return failed('storage_down', 'the signed bytes expected to be kept, got none')
          if (first && dice.strikes('chain.refusesPreflight')) return failed('insufficient_sol')
          chain.send(bytesRef)
          return { type: 'chain.submitted', data: { orderId } }
        }
        case 'chain.watch':
          return watch(data)
        default:
          throw new Error(`the world expected an effect of the chain's, got ${type}`)
      }
    },
  }

  /** Codes are scanned by somebody who pays what they say, each once; their reference is named by their key. */
  function invoice({ orderKey, codes }: EffectData['chain.watchInvoice']): Answered {
    const reference = `code ${orderKey}`
    const paid = codes.flatMap(({ invoiceId, asset, units, quoted }) => {
      if (!scanned.has(invoiceId) && dice.chance('a code is scanned', 0.15))
        scanned.set(invoiceId, { asset, units, quoted, height: height() })
      const found = scanned.get(invoiceId)
      if (!found || height() - found.height < 2) return []
      const { height: slot, ...amounts } = found
      const payment = {
        signature: `payment of ${invoiceId}`,
        orderId: orderKey,
        slot,
        paidAt: start + (slot - firstHeight) * blockMs,
        ...amounts,
        status: height() - slot >= finality ? ('final' as const) : ('confirmed' as const),
      }
      return [{ invoiceId, buyer: 'a passer-by', payment }]
    })
    const own = paid.find(one => one.invoiceId === codes[0]?.invoiceId)
    const earlier = paid.filter(one => one !== own)
    return {
      type: 'chain.invoice',
      data: {
        reference,
        ...(own && { buyer: own.buyer, payment: own.payment }),
        ...(earlier.length > 0 && { earlier }),
      },
    }
  }

  function purchases({
    account: of,
    plans,
  }: Pick<EffectData['chain.readPurchases'], 'account' | 'plans'>): InputData<'chain.purchases'> {
    const lines = [...landed].flatMap(([signature, { order, height: slot, failed: isFailed }]) => {
      if (isSendToPay(order) || order.account !== of || slot > height() - 2) return []
      const { asset, units, quoted, orderKey: orderId } = order
      const landedAs = height() - slot >= finality ? ('final' as const) : ('confirmed' as const)
      const status = isFailed ? ('failed' as const) : landedAs
      const paidAt = start + (slot - firstHeight) * blockMs
      return { signature, orderId, slot, paidAt, asset, units, quoted, status }
    })
    const final = lines.filter(({ status }) => status === 'final')
    const payouts = final.map(({ signature, slot, paidAt, quoted: tokens }) => {
      return { signature: `payout of ${signature}`, slot, paidAt, tokens, status: 'final' as const }
    })
    // The newest plan's file has every payout, in the order of its batches
    const named = payouts.map(({ signature, tokens }, batch) => ({
      plan: plans?.at(-1) ?? '',
      batch,
      signature,
      tokens,
    }))
    const batches = named.map(({ plan, batch, signature }) => ({ plan, batch, signature }))
    const planned = named.map(({ plan, batch, tokens }) => ({ plan, batch, tranche: 0, tokens }))
    const plan = plans?.[0] ?? ''
    const refunds = final.map((_, place) => ({ plan, batch: 1000 + place, places: [String(place)], accepted: [] }))
    return { account: of, purchases: lines, ...(plans && { payouts, batches, planned, refunds }) }
  }

  return chain
}
export type Chain = ReturnType<typeof createChain>
