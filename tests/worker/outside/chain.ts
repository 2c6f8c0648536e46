/** A chain in small: a block every 400 ms, confirmed after 2, final after 32; the same bytes land once. */
import type { EffectData } from '../../../src/events/effect.ts'
import type { InputData } from '../../../src/worker/context.ts'
import { account, caip2, decodedOf, genesisHash, notices, preparedOf, saleReading, terms, termsHash } from '../story.ts'

const blockMs = 400
const blockhashLife = 150
const finality = 32

type Built = { order: EffectData['chain.prepareOrder']['order']; blockhash: string; validUntilHeight: number }

export function createChain(now: () => number) {
  const start = now()
  const height = () => 1000 + Math.floor((now() - start) / blockMs)
  /** by the name of the unsigned bytes */
  const built = new Map<string, Built>()
  /** transactions by signature */
  const landed = new Map<string, { orderRef: string; height: number }>()

  const named = (ref: string): Built => {
    const found = built.get(ref.replace('signed by wallet: ', ''))
    if (!found) throw new Error(`no bytes are kept under ${ref}`)
    return found
  }
  const signatureOf = (ref: string) => `signature of ${ref.replace('signed by wallet: ', '')}`

  function levelOf(landedAt: number): 'processed' | 'confirmed' | 'finalized' {
    const depth = height() - landedAt
    return depth >= finality ? 'finalized' : depth >= 2 ? 'confirmed' : 'processed'
  }

  const chain = {
    landed,
    /** What a wallet makes of bytes it was asked to sign. */
    signed(ref: string): InputData<'wallet.signed'> {
      const { order, blockhash } = named(ref)
      return { signature: signatureOf(ref), bytesRef: `signed by wallet: ${ref}`, decoded: decodedOf(order, blockhash) }
    },
    /** Takes signed bytes: they land unless they have landed or expired. @returns their signature */
    send(ref: string): string {
      const { order, validUntilHeight } = named(ref)
      const signature = signatureOf(ref)
      if (!landed.has(signature) && height() <= validUntilHeight)
        landed.set(signature, { orderRef: `order-${order.orderKey}`, height: height() })
      return signature
    },
    /** Answers an effect of the chain's, or nothing when it is not one. */
    answer(type: string, data: never): { type: string; data: Record<string, unknown> } | undefined {
      switch (type) {
        case 'chain.identify':
          return { type: 'chain.identified', data: { genesisHash, caip2 } }
        case 'chain.readTerms':
          return { type: 'chain.terms', data: { terms, termsHash, presaleRef: 'presale-ref', noticeRef: 'notice-ref' } }
        case 'chain.readNotices':
          return { type: 'chain.notices', data: notices }
        case 'chain.readSale':
          return { type: 'chain.sale', data: saleReading(height(), now()) }
        case 'chain.readMint':
          return { type: 'chain.mint', data: { mint: terms.token.mint, decimals: terms.token.decimals } }
        case 'chain.readBalances':
          return { type: 'chain.balances', data: { account, slot: height(), amounts: { SOL: '20000000000' } } }
        case 'chain.readPurchases':
          return { type: 'chain.purchases', data: { account, purchases: [] } }
        case 'chain.prepareOrder':
          return { type: 'chain.orderPrepared', data: prepare(data) }
        case 'chain.insertSignature':
          return { type: 'wallet.signed', data: chain.signed((data as EffectData['chain.insertSignature']).bytesRef) }
        case 'chain.submit': {
          const { orderId, bytesRef } = data as EffectData['chain.submit']
          chain.send(bytesRef)
          return { type: 'chain.submitted', data: { orderId } }
        }
        case 'chain.watch':
          return { type: 'chain.status', data: watch(data) }
        default:
          return undefined
      }
    },
  }

  function prepare(asked: EffectData['chain.prepareOrder']): InputData<'chain.orderPrepared'> {
    const blockhash = `blockhash-${height()}`
    const prepared = preparedOf(asked, { blockhash, validUntilHeight: height() + blockhashLife, slot: height() })
    built.set(prepared.bytesRef, { order: asked.order, blockhash, validUntilHeight: prepared.validUntilHeight })
    return prepared
  }

  function watch({ orderId, signature, orderRef, search }: EffectData['chain.watch']): InputData<'chain.status'> {
    const base = { orderId, height: height() - finality, nodeSlot: height() }
    const own = signature === undefined ? undefined : landed.get(signature)
    if (own) return { ...base, status: levelOf(own.height), slot: own.height }
    if (!search && signature !== undefined) return base
    const lines = [...landed].filter(([, one]) => one.orderRef === orderRef && levelOf(one.height) !== 'processed')
    const found = lines.map(([one]) => one)
    const [line] = lines
    if (!line) return { ...base, found }
    return { ...base, found, status: levelOf(line[1].height), slot: line[1].height, signature: line[0] }
  }

  return chain
}
export type Chain = ReturnType<typeof createChain>
