/**
 * The core asks the backend that the terms name. Not beside the deciders' other tests: their visits become recordings, which another
 * build re-executes.
 */
import { describe, expect, test } from 'vitest'
import { saleQuotes } from '../../../src/events/sale/backend.ts'
import { quotePaying } from '../../../src/events/sale/quote.ts'
import { checkSigned } from '../../../src/worker/chains/solana/check.ts'
import { saleChecks, signedCheckOf } from '../../../src/worker/services/saleChecks.ts'
import { exampleTerms } from '../../events/values/exampleTerms.ts'
import {
  account,
  begun,
  caip2,
  connectInstalled,
  genesisHash,
  intent,
  landedOf,
  notices,
  other,
  preparedOf,
  saleReading,
  signedOf,
  termsHash,
  theOrder,
  throughGate,
  watched,
} from '../story.ts'
import { register, trial } from '../trialBackend.ts'
import type { World } from '../world.ts'

/** A wallet is connected to a sale of this backend. */
function saleOf(backend: string | undefined, means: 'signTransaction' | 'signAndSendTransaction' = 'signTransaction') {
  const terms = exampleTerms(backend === undefined ? {} : { backend })
  const world = begun()
  world.answer('chain.identify', 'chain.identified', { genesisHash, caip2 })
  const read = { terms, termsHash, presaleRef: 'presale-ref', noticeRef: 'notice-ref' }
  world.answer('chain.readTerms', 'chain.terms', read)
  world.answer('chain.readNotices', 'chain.notices', notices)
  world.answer('chain.readSale', 'chain.sale', saleReading(1000, world.at))
  world.answer('sale.readLegal', 'sale.legal', { sha256: terms.legal.sha256, url: terms.legal.url })
  world.answer('sale.readContent', 'sale.content', {})
  connectInstalled(world, [means])
  return world
}

function placedIn(world: World): void {
  world.command('order.place', intent(world))
  world.answer('chain.prepareOrder', 'chain.orderPrepared', preparedOf(world.last('chain.prepareOrder').data))
}

const steal = { kind: 'transfer' as const, from: account, to: other, lamports: '9000000000', references: [] }
/** The wallet's answer with one more transfer. */
function stolen(world: World) {
  const { decoded, ...signed } = signedOf(world)
  return { ...signed, decoded: { ...decoded, instructions: [...decoded.instructions, steal] } }
}

describe('a reading of the sale', () => {
  test('names the backend that the terms name, and none for terms without one', () => {
    register(saleQuotes, saleQuotes.direct)
    expect(saleOf(trial).last('chain.readSale').data).toMatchObject({ backend: trial })
    expect(saleOf(undefined).last('chain.readSale').data).not.toHaveProperty('backend')
    const polled = saleOf(trial)
    polled.command('sale.refresh', {})
    expect(polled.last('chain.readSale').data).toMatchObject({ backend: trial })
  })
})

describe('the quote of an order', () => {
  test('is that of the backend, whose price may be another', () => {
    register(saleQuotes, {
      quote: (...asked) => ({ ...quotePaying(...asked), tokens: '7', least: { tokens: '7', overCap: '0' } }),
    })
    const world = saleOf(trial)
    world.command('order.place', intent(world))
    expect(theOrder(world)).toMatchObject({
      phase: 'gateRefused',
      failure: { code: 'stale_quote', facts: { tokens: '7' } },
    })
    const direct = saleOf('direct')
    direct.command('order.place', intent(direct))
    expect(theOrder(direct).phase).toBe('accepted')
  })

  test('is none for a backend that this build has not, so nothing is bought', () => {
    const world = saleOf('unheard-of')
    world.command('order.place', intent(world))
    expect(theOrder(world)).toMatchObject({ phase: 'gateRefused', failure: { code: 'unreachable' } })
    expect(world.ordered('chain.prepareOrder')).toEqual([])
  })
})

describe('the comparison of a signed purchase', () => {
  test('is that of the backend: it may refuse what the first one accepts', () => {
    register(saleQuotes, saleQuotes.direct)
    const differences = [{ of: 'word' as const, field: 'escrow', expected: 'open', got: 'closed' }]
    register(saleChecks, { checkSigned: () => ({ ok: false, code: 'wallet_changed_tx', differences }) })
    const world = saleOf(trial)
    placedIn(world)
    world.answer('wallet.signTransaction', 'wallet.signed', signedOf(world))
    expect(theOrder(world)).toMatchObject({ phase: 'gateRefused', differences })
  })

  test('is that of the backend: it may accept what the first one refuses', () => {
    register(saleQuotes, saleQuotes.direct)
    register(saleChecks, { checkSigned: () => ({ ok: true }) })
    const world = saleOf(trial)
    placedIn(world)
    world.answer('wallet.signTransaction', 'wallet.signed', stolen(world))
    expect(theOrder(world).phase).toBe('signed')
    const direct = saleOf(undefined)
    placedIn(direct)
    direct.answer('wallet.signTransaction', 'wallet.signed', stolen(direct))
    expect(theOrder(direct)).toMatchObject({ phase: 'gateRefused', failure: { code: 'wallet_changed_tx' } })
  })

  test('is none of the backend’s for a transfer', () => {
    register(saleQuotes, saleQuotes.direct)
    register(saleChecks, { checkSigned: () => ({ ok: true }) })
    const { sale } = saleOf(trial).model
    expect(signedCheckOf(sale, { send: {} })).toBe(checkSigned)
    expect(signedCheckOf(sale, {})).not.toBe(checkSigned)
  })

  test('is that of the backend for what landed, too', () => {
    register(saleQuotes, saleQuotes.direct)
    let compared = 0
    register(saleChecks, {
      checkSigned(decoded, agreed) {
        compared += 1
        return checkSigned({ ...decoded, instructions: decoded.instructions.filter(one => one !== steal) }, agreed)
      },
    })
    const world = saleOf(trial, 'signAndSendTransaction')
    placedIn(world)
    throughGate(world)
    world.answer('wallet.signAndSendTransaction', 'wallet.sent', { signature: 'sig-7' })
    const { decoded, ...landed } = landedOf(world, { status: 'finalized' })
    const instructions = [...(decoded?.instructions ?? []), steal]
    const shown = { ...landed, ...(decoded && { decoded: { ...decoded, instructions } }) }
    expect(watched(world, { status: 'finalized', landed: [shown] }).types).toEqual(['order.finalised'])
    expect(compared).toBeGreaterThan(0)
  })
})
