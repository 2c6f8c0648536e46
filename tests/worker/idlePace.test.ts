/** The requests of an open account in which nothing happens, at the product's own paces. */
import { describe, expect, test } from 'vitest'
import type { EffectType } from '../../src/events/effect.ts'
import type { ServiceAsk } from '../../src/events/subjects/service/service.ts'
import { nextAskAt } from '../../src/ui/account/serviceReads.ts'
import type { InputData } from '../../src/worker/core/context.ts'
import type { Http } from '../../src/worker/drivers/http.ts'
import { createTermsDriver } from '../../src/worker/drivers/solana/sale/terms.ts'
import { exampleTermsText } from '../events/values/exampleTerms.ts'
import { account, caip2, notices, saleReading, terms } from './story.ts'
import { sealAll, settled, takeAll } from './wcStory.ts'
import type { World } from './world.ts'

const minutes = 60
const asks: Parameters<typeof nextAskAt>[1][] = [
  { call: 'balance', address: account, chainId: caip2 },
  { call: 'history', address: account, chainId: caip2 },
]

/** The terms as the product's driver reads them, with its paces. */
async function termsRead(): Promise<InputData<'chain.terms'>> {
  const { authority, id } = terms
  const drivers = createTermsDriver({
    termsUrl: 'https://sale.example/terms.json',
    sale: { authority, id },
    http: { text: async () => exampleTermsText } as Partial<Http> as Http,
    rpc: {} as never,
    verify: async () => true,
  })
  return new Promise(read => {
    void drivers['chain.readTerms']({ id: 'e1', data: {} }, ({ data }) => read(data as InputData<'chain.terms'>))
  })
}

/** Effects that are no request: timers, and balances, which the sale's request brings along. */
const noRequests: readonly EffectType[] = ['timer.set', 'timer.clear', 'chain.readBalances']
/** Requests of such an account; a frame to the relay is one. */
const kinds: readonly EffectType[] = [
  'chain.readSale',
  'chain.readNotices',
  'chain.readPurchases',
  'relay.subscribe',
  'service.call',
]

/** Answers everything that is open, as services that work do. */
function answerAll(world: World): void {
  sealAll(world)
  takeAll(world)
  const isOpen = (type: EffectType) => world.ordered(type).some(({ answered }) => !answered)
  if (isOpen('chain.readSale')) world.answer('chain.readSale', 'chain.sale', saleReading(1000 + world.at, world.at))
  if (isOpen('chain.readBalances'))
    world.answer('chain.readBalances', 'chain.balances', {
      account,
      slot: 1000 + world.at,
      amounts: { SOL: '20000000000' },
    })
  if (isOpen('chain.readNotices')) world.answer('chain.readNotices', 'chain.notices', notices)
  if (isOpen('chain.readPurchases'))
    world.answer('chain.readPurchases', 'chain.purchases', {
      account,
      purchases: [],
      // Plans of payouts are announced
      payouts: [],
    })
  if (isOpen('chain.readMint'))
    world.answer('chain.readMint', 'chain.mint', {
      mint: terms.token.mint ?? '',
      decimals: terms.token.decimals,
    })
  while (isOpen('service.call')) answerCall(world)
  for (const effect of [...world.ordered('relay.subscribe'), ...world.ordered('relay.unsubscribe')]) {
    if (effect.answered) continue
    effect.answered = true
    world.input('relay.taken', { callId: effect.data.callId })
  }
}

function answerCall(world: World): void {
  const { ask } = world.last('service.call').data
  world.answer('service.call', 'service.answered', { answer: answerOf(ask) })
}

function answerOf({ call }: ServiceAsk): InputData<'service.answered'>['answer'] {
  if (call === 'balance') return { call, balances: [], dropped: 0 }
  if (call === 'history') return { call, data: [], dropped: 0 }
  return { call: 'supportedChains', http: [caip2], ws: [], dropped: 0 }
}

/** Lets a second pass on a page that shows the account. */
function second(world: World): void {
  world.pass(1000)
  answerAll(world)
  for (const ask of asks) {
    const dueAt = nextAskAt(world.model.service, ask)
    if (dueAt !== undefined && dueAt <= world.at) world.command('service.ask', { ask })
  }
  answerAll(world)
}

describe('an open account', () => {
  test('sends at most four requests a minute over the relay, frames included', async () => {
    const world = settled(undefined, { rests: true })
    world.input('chain.terms', await termsRead())
    for (let at = 0; at < 60; at++) second(world)

    const before = world.effects.length
    for (let at = 0; at < minutes * 60; at++) second(world)
    const requests = world.effects.slice(before).filter(({ type }) => !noRequests.includes(type))
    expect(new Set(requests.map(({ type }) => type))).toEqual(new Set(kinds))
    expect(requests.length / minutes).toBeLessThanOrEqual(4)
  })
})
