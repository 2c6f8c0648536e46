import { describe, expect, test } from 'vitest'
import { askOf, builtOf, failureOf, isProved, openOrder } from '../../../../src/events/subjects/order/order.ts'
import { quotePaying } from '../../../../src/events/sale/quote.ts'
import { endedKept } from '../../../../src/events/subjects/order/orderRetention.ts'
import {
  account,
  balances,
  begun,
  caip2,
  connected,
  connectInstalled,
  decodedOf,
  genesisHash,
  intent,
  other,
  placed,
  proof,
  readSaleIn,
  preparedOf,
  ready,
  saleReading,
  notices,
  sent,
  signedOf,
  terms,
  termsHash,
  theOrder,
  throughGate,
  watched,
  gone,
  landedOf,
} from '../../story.ts'
import { wholeTerms } from '../../../events/values/exampleTerms.ts'
import { failing, noon, tab, type World } from '../../world.ts'

describe('pressing buy', () => {
  test('drafts, quotes and accepts in one step, and builds the transaction of the accepted order', () => {
    const world = connected()
    const came = world.command('order.place', intent(world, { referrer: other }))
    expect(came.types).toEqual(['order.drafted', 'order.quoted', 'order.accepted'])
    const { order } = world.last('chain.prepareOrder').data
    expect(order).toMatchObject({ account, asset: 'SOL', units: '2500000000', referrer: other })
    expect(order.orderKey).toMatch(/^[0-9a-f]{16}$/)
    expect(theOrder(world)).toMatchObject({
      phase: 'accepted',
      accepted: { orderKey: order.orderKey, referrer: other },
    })
  })

  test('twice is one order', () => {
    const world = connected()
    world.command('order.place', intent(world))
    const again = world.command('order.place', intent(world))
    expect(again).toMatchObject({ facts: [], effects: [] })
    expect(world.ordered('chain.prepareOrder')).toHaveLength(1)
  })

  test('again and again leaves a bounded number of orders, in the model and in transient memory', () => {
    const world = connected()
    for (let placed = 0; placed < 2 * endedKept; placed += 1) {
      world.command('order.place', intent(world))
      world.command('order.abandon', { orderId: openOrder(world.model)?.orderId ?? '' })
    }
    expect(Object.keys(world.model.order)).toHaveLength(endedKept + 1)
    expect(Object.keys(world.memory().order as object).length).toBeLessThanOrEqual(endedKept + 2)
  })

  test('during a doubtful order is refused, after a dead end it makes a new order', () => {
    const world = connected()
    placed(world)
    world.fire(`silence:${theOrder(world).orderId}`)
    expect(theOrder(world).phase).toBe('unknown')
    expect(world.command('order.place', intent(world)).facts).toEqual([])
    gone(world)
    expect(theOrder(world).phase).toBe('expired')
    const first = theOrder(world).orderId
    world.command('order.place', intent(world))
    expect(theOrder(world).orderId).not.toBe(first)
    expect(world.model.order[first]?.dismissed).toBe(true)
  })

  test.each([
    ['without a wallet', () => ready(), {}, 'wallet_gone'],
    ['with terms that are not those in force', () => connected(), { termsHash: 'x' }, 'terms_changed'],
    ['without a statement ticked', () => connected(), { acknowledged: ['terms'] }, 'bad_input'],
    ['with an asset of nobody', () => connected(), { asset: 'DOGE' }, 'bad_input'],
    ['for too little', () => connected(), { units: '1000' }, 'bad_input'],
    ['for too much', () => connected(), { units: '999000000000000' }, 'bad_input'],
    ['for more tokens than the sale gives', () => connected(), { min: '9'.repeat(20) }, 'stale_quote'],
  ] as const)('with %s is refused and nothing is built', (_name, given, changes, code) => {
    const world = given()
    world.command('order.place', { ...intent(world), ...(changes as object) })
    expect(theOrder(world)).toMatchObject({ phase: 'gateRefused', failure: { code } })
    expect(world.ordered('chain.prepareOrder')).toEqual([])
    expect(openOrder(world.model)).toBeUndefined()
  })

  /** An order of 10 dollars in SOL where a whole token, which has no parts, costs `price`. */
  const smallest = (quoted: string, price?: string) => {
    const world = begun()
    world.answer('chain.identify', 'chain.identified', { genesisHash, caip2 })
    readSaleIn(world, {}, 1000, wholeTerms(price))
    connectInstalled(world)
    world.command('order.place', intent(world, { units: '62500000', quoted, min: '0' }))
    return world
  }

  test('for a single token base unit, whose minimum is nothing, is built, signed and sent', () => {
    const world = smallest('1')
    world.answer('chain.prepareOrder', 'chain.orderPrepared', preparedOf(world.last('chain.prepareOrder').data))
    world.answer('wallet.signTransaction', 'wallet.signed', signedOf(world))
    throughGate(world)
    expect(theOrder(world)).toMatchObject({ phase: 'sending', quote: { quoted: '1', min: '0' } })
  })

  test('for less than a token base unit is refused', () => {
    const world = smallest('0', '20000000000000')
    expect(theOrder(world)).toMatchObject({ phase: 'gateRefused', failure: { code: 'stale_quote' } })
    expect(world.ordered('chain.prepareOrder')).toEqual([])
  })

  test.each([
    ['paused', { paused: true }, 'paused'],
    ['closed', { closed: true }, 'ended'],
  ] as const)('while the sale is %s is refused', (_name, said, code) => {
    const world = connected()
    world.input('chain.notices', { ...notices, ...said })
    world.command('order.place', intent(world))
    expect(theOrder(world)).toMatchObject({ phase: 'gateRefused', failure: { code } })
  })

  test.each([
    ['before the start', (terms.start - 10) * 1000, 'not_started'],
    ['after the end', (terms.end + 10) * 1000, 'ended'],
  ] as const)('%s by chain time is refused, by any clock of the device', (_name, chainTime, code) => {
    const world = connected()
    world.input('chain.sale', saleReading(1001, chainTime))
    world.command('order.place', intent(world))
    expect(theOrder(world)).toMatchObject({ phase: 'gateRefused', failure: { code } })
  })

  test('without a durable log is refused', () => {
    const world = connected()
    expect(world.input('core.storageFailed', { message: 'quota' }).types).toEqual(['core.storageLost'])
    world.command('order.place', intent(world))
    expect(theOrder(world)).toMatchObject({ phase: 'gateRefused', failure: { code: 'storage_down' } })
  })
})

describe('a built transaction', () => {
  test('goes to the wallet in the tab of the press, once the request is committed', () => {
    const world = connected()
    world.command('order.place', intent(world))
    const came = world.answer(
      'chain.prepareOrder',
      'chain.orderPrepared',
      preparedOf(world.last('chain.prepareOrder').data),
    )
    expect(came.types).toEqual(['order.built', 'order.simulated', 'order.asked'])
    const asked = world.last('wallet.signTransaction')
    expect(asked).toMatchObject({
      after: 'stored',
      tab,
      data: { name: 'Lantern', account, bytesRef: 'unsigned-hash-1', genesisHash },
    })
    expect(theOrder(world)).toMatchObject({
      phase: 'awaitingSignature',
      ask: { askId: asked.id, means: 'sign', tab },
    })
  })

  test('waits for a new press when it took too long, and the press opens the prompt', () => {
    const world = connected()
    world.command('order.place', intent(world))
    world.wait(3001)
    world.answer('chain.prepareOrder', 'chain.orderPrepared', preparedOf(world.last('chain.prepareOrder').data))
    expect(theOrder(world).phase).toBe('pressAwaited')
    expect(world.ordered('wallet.signTransaction')).toEqual([])
    world.command('order.continue', { orderId: theOrder(world).orderId })
    expect(world.ordered('wallet.signTransaction')).toHaveLength(1)
    expect(world.command('order.continue', { orderId: theOrder(world).orderId }).facts).toEqual([])
  })

  test('too old for its press is built again with the same key', () => {
    const world = connected()
    world.command('order.place', intent(world))
    const first = world.last('chain.prepareOrder').data
    world.wait(3001)
    world.answer('chain.prepareOrder', 'chain.orderPrepared', preparedOf(first))
    world.wait(30_001)
    const { orderId } = theOrder(world)
    world.command('order.continue', { orderId })
    world.command('order.continue', { orderId })
    expect(world.ordered('chain.prepareOrder')).toHaveLength(2)
    const second = world.last('chain.prepareOrder').data
    expect(second).toEqual(first)
    world.answer('chain.prepareOrder', 'chain.orderPrepared', preparedOf(second, { blockhash: 'hash-2' }))
    expect(world.last('bytes.forget').data).toEqual({ refs: ['unsigned-hash-1'] })
    expect(world.last('wallet.signTransaction').data.bytesRef).toBe('unsigned-hash-2')
  })

  test.each<[string, (world: ReturnType<typeof connected>) => void, string[]]>([
    ['fails', world => world.fail('chain.prepareOrder', 'unreachable'), ['unsigned-hash-1']],
    [
      'differs from the order',
      world => {
        const asked = world.last('chain.prepareOrder').data
        const other = { ...asked, order: { ...asked.order, units: '1' } }
        world.answer('chain.prepareOrder', 'chain.orderPrepared', preparedOf(other, { blockhash: 'hash-2' }))
      },
      ['unsigned-hash-2', 'unsigned-hash-1'],
    ],
  ])('too old for its press forgets its bytes when its second build %s', (_name, build, refs) => {
    const world = connected()
    world.command('order.place', intent(world))
    world.wait(3001)
    placedLate(world)
    world.wait(30_001)
    world.command('order.continue', { orderId: theOrder(world).orderId })
    build(world)
    expect(theOrder(world).phase).toBe('simulationFailed')
    expect(world.ordered('bytes.forget').flatMap(effect => effect.data.refs)).toEqual(refs)
  })

  test('built again with equal bytes keeps them', () => {
    const world = connected()
    world.command('order.place', intent(world))
    const first = world.last('chain.prepareOrder').data
    world.wait(3001)
    world.answer('chain.prepareOrder', 'chain.orderPrepared', preparedOf(first))
    world.wait(30_001)
    world.command('order.continue', { orderId: theOrder(world).orderId })
    world.answer('chain.prepareOrder', 'chain.orderPrepared', preparedOf(first))
    expect(world.ordered('bytes.forget')).toEqual([])
    expect(world.last('wallet.signTransaction').data.bytesRef).toBe('unsigned-hash-1')
  })

  test('that does not pay the agreed amount never reaches the wallet', () => {
    const world = connected()
    world.command('order.place', intent(world))
    const asked = world.last('chain.prepareOrder').data
    const prepared = preparedOf({ ...asked, order: { ...asked.order, units: '1' } })
    world.answer('chain.prepareOrder', 'chain.orderPrepared', prepared)
    expect(theOrder(world)).toMatchObject({ phase: 'simulationFailed', failure: { code: 'treasury_mismatch' } })
    expect(world.ordered('wallet.signTransaction')).toEqual([])
  })

  test.each([
    'insufficient_sol',
    'insufficient_token',
    'rent',
    'account_not_found',
    'no_token_account',
    'decimals',
    'compute',
    'simulation_failed',
    'blockhash_not_found',
    'rate_limited',
    'unreachable',
    'reload_needed',
  ] as const)('that fails its simulation with %s is a dead end, and a late copy of it is dropped', code => {
    const world = connected()
    world.command('order.place', intent(world))
    const asked = world.last('chain.prepareOrder').data
    world.fail('chain.prepareOrder', code)
    expect(theOrder(world)).toMatchObject({ phase: 'simulationFailed', failure: { code } })
    const late = world.input('chain.orderPrepared', preparedOf(asked))
    expect(late.facts).toEqual([])
    expect(late.effects.map(effect => effect.type)).toEqual(['bytes.forget'])
  })

  test('is dropped when the person gives up before the wallet’s request', () => {
    const world = connected()
    world.command('order.place', intent(world))
    world.command('order.abandon', { orderId: theOrder(world).orderId })
    expect(theOrder(world)).toMatchObject({ phase: 'abandoned', failure: { code: 'user_rejected' } })
    placedLate(world)
    expect(world.ordered('wallet.signTransaction')).toEqual([])
  })

  test('that is given up during the wallet’s request stays unknown until the chain decides', () => {
    const world = connected()
    placed(world)
    const { orderId } = theOrder(world)
    expect(world.command('order.abandon', { orderId }).facts.map(({ type }) => type)).toEqual(['order.unknown'])
    expect(theOrder(world)).toMatchObject({ phase: 'unknown', failure: { code: 'wallet_gone' } })
    expect(world.command('order.abandon', { orderId }).facts).toEqual([])
    world.command('order.place', intent(world))
    expect(Object.keys(world.model.order)).toEqual([orderId])
  })

  test.each([
    ['switched to another account', [other], 'account_changed'],
    ['disconnected', [], 'wallet_gone'],
  ] as const)('does not go to a wallet that %s meanwhile', (_name, accounts, code) => {
    const world = connected()
    world.command('order.place', intent(world))
    const { connectionId } = theOrder(world)
    world.input('wallet.changed', { connectionId, accounts: [...accounts] }, { tab })
    placedLate(world)
    if (accounts.length === 0) throughGate(world)
    expect(theOrder(world)).toMatchObject({ phase: 'abandoned', failure: { code } })
    expect(world.last('bytes.forget').data.refs).toEqual(['unsigned-hash-1'])
    expect(world.ordered('wallet.signTransaction')).toEqual([])
  })

  test('does not go out once the log is lost', () => {
    const world = connected()
    world.command('order.place', intent(world))
    world.input('core.storageFailed', { message: 'quota' })
    placedLate(world)
    expect(theOrder(world)).toMatchObject({ phase: 'abandoned', failure: { code: 'storage_down' } })
    expect(world.last('bytes.forget').data.refs).toEqual(['unsigned-hash-1'])
  })

  test('for a sending wallet passes the gate first', () => {
    const world = connected(['signAndSendTransaction'])
    placed(world)
    expect(world.ordered('wallet.signAndSendTransaction')).toEqual([])
    throughGate(world)
    expect(world.last('wallet.signAndSendTransaction')).toMatchObject({ after: 'stored', tab })
    expect(askOf(theOrder(world))?.means).toBe('signAndSend')
  })

  test('for a sending wallet is refused at the gate after a pause, and is not watched', () => {
    const world = connected(['signAndSendTransaction'])
    placed(world)
    throughGate(world, { said: { ...notices, paused: true } })
    expect(theOrder(world)).toMatchObject({ phase: 'gateRefused', failure: { code: 'paused' } })
    expect(world.timers().has(`watch:${theOrder(world).orderId}`)).toBe(false)
    expect(world.ordered('wallet.signAndSendTransaction')).toEqual([])
  })

  test('is given up when the gate cannot be read five times', () => {
    const world = connected(['signAndSendTransaction'])
    placed(world)
    for (let i = 0; i < 5; i++) {
      world.fail('chain.readSale', 'unreachable')
      if (i < 4) world.fire(`gate:${theOrder(world).orderId}`)
    }
    expect(theOrder(world)).toMatchObject({ phase: 'gateRefused', failure: { code: 'unreachable' } })
    expect(world.last('bytes.forget')).toMatchObject({ after: 'stored', data: { refs: ['unsigned-hash-1'] } })
  })
})

function placedLate(world: ReturnType<typeof connected>): void {
  world.answer('chain.prepareOrder', 'chain.orderPrepared', preparedOf(world.last('chain.prepareOrder').data))
}

describe('the wallet', () => {
  test('that signs unchanged bytes leads to the gate, and past it the bytes are sent once committed', () => {
    const world = connected()
    placed(world)
    const came = world.answer('wallet.signTransaction', 'wallet.signed', signedOf(world))
    expect(came.types).toEqual(['order.signed'])
    expect(world.ordered('chain.submit')).toEqual([])
    expect(throughGate(world).types).toEqual(['order.sending'])
    expect(world.last('chain.submit')).toMatchObject({
      after: 'stored',
      data: { bytesRef: 'signed-hash-1', first: true },
    })
  })

  test('that sends is watched by its signature', () => {
    const world = connected(['signAndSendTransaction'])
    placed(world)
    throughGate(world)
    world.answer('wallet.signAndSendTransaction', 'wallet.sent', { signature: 'sig-1' })
    expect(theOrder(world)).toMatchObject({ phase: 'sending', signed: { signature: 'sig-1' } })
    world.fire(`watch:${theOrder(world).orderId}`)
    expect(world.last('chain.watch').data).toMatchObject({ signature: 'sig-1' })
    expect(world.ordered('chain.submit')).toEqual([])
  })

  /** A purchase of a sending wallet that passed its gate too long after the press. */
  const waitingForPress = () => {
    const world = connected(['signAndSendTransaction'])
    placed(world)
    world.wait(5000)
    throughGate(world)
    expect(theOrder(world).phase).toBe('pressAwaited')
    return world
  }

  test.each([
    ['paused', { ...notices, paused: true }, 'paused'],
    ['closed', { ...notices, closed: true }, 'ended'],
  ] as const)('that sends is not asked by a new press after the sale was %s', (_name, said, code) => {
    const world = waitingForPress()
    world.input('chain.notices', said)
    world.command('order.continue', { orderId: theOrder(world).orderId })
    expect(theOrder(world)).toMatchObject({ phase: 'gateRefused', failure: { code } })
    expect(world.ordered('wallet.signAndSendTransaction')).toEqual([])
  })

  test('that sends is not asked by the readings of an earlier life', () => {
    const world = waitingForPress()
    const { orderId } = theOrder(world)
    world.kill('lost')
    world.attach()
    world.answer('chain.identify', 'chain.identified', { genesisHash, caip2 })
    world.command('order.continue', { orderId })
    expect(world.ordered('wallet.signAndSendTransaction')).toEqual([])
    readSaleIn(world)
    world.answer('chain.prepareOrder', 'chain.orderPrepared', preparedOf(world.last('chain.prepareOrder').data))
    throughGate(world)
    expect(theOrder(world).phase).toBe('awaitingSignature')
    expect(world.ordered('wallet.signAndSendTransaction')).toHaveLength(1)
  })

  test('with a decline ends the order, which is watched until no payment can come', () => {
    const world = connected()
    placed(world)
    world.answer('wallet.signTransaction', 'wallet.failed', failing('user_rejected'))
    expect(theOrder(world)).toMatchObject({ phase: 'rejected', failure: { code: 'user_rejected' } })
    expect(openOrder(world.model)).toBeUndefined()
    expect(watched(world, { height: 100 }).facts).toEqual([])
    gone(world)
    expect(theOrder(world)).toMatchObject({ phase: 'rejected', proof: { providers: 1 } })
    world.pass(60_000)
    expect(world.timers().has(`watch:${theOrder(world).orderId}`)).toBe(false)
  })

  test('with a twin gets no request, so the order ends, also for a sending one', () => {
    const world = connected(['signAndSendTransaction'])
    placed(world)
    throughGate(world)
    world.answer('wallet.signAndSendTransaction', 'wallet.failed', failing('unauthorized'))
    expect(theOrder(world)).toMatchObject({ phase: 'rejected', failure: { code: 'unauthorized' } })
  })

  test('that is locked or incapable ends an order only it could have signed', () => {
    const world = connected()
    placed(world)
    world.answer('wallet.signTransaction', 'wallet.failed', failing('wallet_locked'))
    expect(theOrder(world).phase).toBe('rejected')
  })

  test('that sends and fails leaves the order in doubt: it may have sent', () => {
    const world = connected(['signAndSendTransaction'])
    placed(world)
    throughGate(world)
    world.answer('wallet.signAndSendTransaction', 'wallet.failed', failing('bad_response'))
    expect(theOrder(world)).toMatchObject({ phase: 'unknown', failure: { code: 'bad_response' } })
  })

  test.each([
    ['the amount', { lamports: '9' }, {}, 'wallet_changed_tx'],
    ['the treasury', { to: other }, {}, 'wallet_changed_tx'],
    ['the references', { references: [] }, {}, 'wallet_changed_tx'],
    ['the blockhash', {}, { blockhash: 'hash-9' }, 'wallet_changed_tx'],
    ['the account', { from: other }, { feePayer: other }, 'account_changed'],
  ] as const)('that changed %s is refused, nothing is sent, and its own copy is looked for', (_n, pay, whole, code) => {
    const world = connected()
    placed(world)
    const signed = signedOf(world)
    const [limit, price, memo, transfer] = signed.decoded.instructions
    const changed = { ...transfer, ...pay } as never
    const decoded = { ...signed.decoded, ...whole, instructions: [limit, price, memo, changed] as never }
    world.answer('wallet.signTransaction', 'wallet.signed', { ...signed, decoded })
    expect(theOrder(world)).toMatchObject({ phase: 'gateRefused', failure: { code } })
    expect(theOrder(world)).toMatchObject({ differences: expect.arrayContaining([expect.anything()]) })
    expect(failureOf(theOrder(world))).not.toHaveProperty('facts')
    expect(world.ordered('chain.submit')).toEqual([])
    expect(world.last('bytes.forget').data.refs).toEqual(['signed-hash-1', 'unsigned-hash-1'])
    watched(world, { landed: [landedOf(world, { signature: 'sig-own' })] })
    expect(theOrder(world)).toMatchObject({ phase: 'confirmed', signed: { signature: 'sig-own' } })
  })

  test('that added a second payment is refused', () => {
    const world = connected()
    placed(world)
    const signed = signedOf(world)
    const more = { kind: 'transfer', from: account, to: other, lamports: '1', references: [] } as const
    const decoded = { ...signed.decoded, instructions: [...signed.decoded.instructions, more as never] }
    world.answer('wallet.signTransaction', 'wallet.signed', { ...signed, decoded })
    expect(theOrder(world)).toMatchObject({ phase: 'gateRefused', failure: { code: 'wallet_changed_tx' } })
  })

  test('that answers twice counts once', () => {
    const world = connected()
    placed(world)
    const { id: to } = world.last('wallet.signTransaction')
    world.input('wallet.signed', signedOf(world), { to, tab })
    const again = world.input('wallet.signed', signedOf(world), { to, tab })
    expect(again).toMatchObject({ facts: [], effects: [] })
    expect(world.input('wallet.failed', failing('user_rejected'), { to, tab }).facts).toEqual([])
    expect(theOrder(world).phase).toBe('signed')
  })

  test('that signs after its decline changes nothing', () => {
    const world = connected()
    placed(world)
    const { id: to } = world.last('wallet.signTransaction')
    world.input('wallet.failed', failing('user_rejected'), { to, tab })
    expect(world.input('wallet.signed', signedOf(world), { to, tab }).facts).toEqual([])
    expect(world.ordered('chain.submit')).toEqual([])
  })

  test('that is silent for two minutes leaves the order in doubt, and may still sign', () => {
    const world = connected()
    placed(world)
    const { id: to } = world.last('wallet.signTransaction')
    expect(world.pass(119_000)).not.toContain('order.unknown')
    expect(world.pass(1001)).toContain('order.unknown')
    expect(theOrder(world)).toMatchObject({ phase: 'unknown', failure: { code: 'wallet_gone' } })
    world.input('wallet.signed', signedOf(world), { to, tab })
    expect(theOrder(world).phase).toBe('signed')
    throughGate(world)
    expect(theOrder(world).phase).toBe('sending')
  })

  test('whose request could not be committed got none', () => {
    const world = connected()
    placed(world)
    world.fail('wallet.signTransaction', 'storage_down')
    expect(theOrder(world)).toMatchObject({ phase: 'rejected', failure: { code: 'storage_down' } })
  })
})

describe('the gate before sending', () => {
  const signed = () => {
    const world = connected()
    placed(world)
    world.answer('wallet.signTransaction', 'wallet.signed', signedOf(world))
    return world
  }

  const hardCap = terms.stages.reduce((sum, stage) => sum + BigInt(stage.credits), 0n).toString()
  const soldOut = { slot: 1001, time: noon, balances, raised: hardCap, pos: hardCap }

  test.each([
    ['paused', { said: { ...notices, paused: true } }, 'paused'],
    ['closed', { said: { ...notices, closed: true } }, 'ended'],
    ['over', { sale: saleReading(1001, (terms.end + 1) * 1000) }, 'ended'],
    ['sold out', { said: { ...notices, checkpoint: soldOut } }, 'sold_out'],
    [
      'in a dearer stage',
      { sale: { ...saleReading(1001), balances: { SOL: '1001000000000', USDC: '0' } } },
      'stale_quote',
    ],
  ] as const)('refuses when the sale is %s, sends nothing, forgets the bytes, and keeps looking', (_n, found, code) => {
    const world = signed()
    throughGate(world, found as never)
    expect(theOrder(world)).toMatchObject({ phase: 'gateRefused', failure: { code } })
    expect(world.ordered('chain.submit')).toEqual([])
    expect(world.last('bytes.forget').data.refs).toEqual(['unsigned-hash-1', 'signed-hash-1'])
    gone(world)
    expect(theOrder(world)).toMatchObject({ phase: 'gateRefused', proof: { providers: 1 } })
  })

  test('passes an order that gets its minimum even if everything received counts', () => {
    const world = signed()
    throughGate(world, { sale: { ...saleReading(1001), balances: { SOL: '9999999000000000', USDC: '0' } } })
    expect(theOrder(world).phase).toBe('sending')
  })

  test('passes the last payment of a sale, where the rest is no multiple of the rate, and nothing smaller', () => {
    const world = connected()
    const pos = (BigInt(hardCap) - 160_000_007n).toString()
    const said = { ...notices, checkpoint: { slot: 1001, time: noon, balances, raised: pos, pos } }
    world.input('chain.notices', said)
    const last = (units: string) => {
      const { tokens, min } = quotePaying(terms, { pos, time: world.at }, 'SOL', units)
      world.command('order.place', intent(world, { units, quoted: tokens, min }))
    }
    last('999')
    expect(theOrder(world)).toMatchObject({ phase: 'gateRefused', failure: { code: 'bad_input' } })
    last('1000')
    world.answer('chain.prepareOrder', 'chain.orderPrepared', preparedOf(world.last('chain.prepareOrder').data))
    world.answer('wallet.signTransaction', 'wallet.signed', signedOf(world))
    throughGate(world, { said })
    expect(theOrder(world).phase).toBe('sending')
  })

  test('counts other payments of the account that landed during the signature', () => {
    const world = signed()
    const payment = { signature: 's9', orderId: 'k9', slot: 950, paidAt: noon, asset: 'USDC', quoted: '1' }
    const before = { ...payment, units: '24900000000', status: 'final' as const }
    world.input('chain.purchases', { account, purchases: [before] })
    throughGate(world)
    expect(theOrder(world)).toMatchObject({
      phase: 'gateRefused',
      failure: { code: 'bad_input', facts: { rule: 'MAX_BUYER', left: '100000000000000' } },
    })
  })

  test('counts what the account bought on another device, which is read again from the press on', () => {
    const world = connected()
    world.answer('chain.readPurchases', 'chain.purchases', { account, purchases: [] })
    placed(world)
    expect(world.last('chain.readPurchases').data).toMatchObject({ account })
    const payment = { signature: 's9', orderId: 'k9', slot: 950, paidAt: noon, asset: 'USDC', quoted: '1' }
    const purchases = [{ ...payment, units: '24900000000', status: 'final' as const }]
    world.answer('chain.readPurchases', 'chain.purchases', { account, purchases })
    world.answer('wallet.signTransaction', 'wallet.signed', signedOf(world))
    throughGate(world)
    expect(theOrder(world)).toMatchObject({ phase: 'gateRefused', failure: { facts: { rule: 'MAX_BUYER' } } })
  })

  test('counts a final order at the next press, before the chain lists its payment', () => {
    const world = sent()
    watched(world, { status: 'finalized', slot: 1005 })
    expect(theOrder(world).phase).toBe('finalised')
    const much = (units: string) =>
      world.command('order.place', intent(world, { orderKey: 'ffffffffffffffff', units, quoted: '1', min: '1' }))
    much('153750000001')
    expect(theOrder(world)).toMatchObject({
      phase: 'gateRefused',
      failure: { code: 'bad_input', facts: { rule: 'MAX_BUYER', left: '24600000000000000' } },
    })
    much('153750000000')
    expect(theOrder(world).phase).toBe('accepted')
  })

  test('refuses after other terms were published meanwhile', () => {
    const world = signed()
    throughGate(world, { said: { ...notices, termsHash: 'other' } })
    expect(theOrder(world)).toMatchObject({ phase: 'gateRefused', failure: { code: 'terms_changed' } })
  })

  test('refuses after the log was lost meanwhile', () => {
    const world = signed()
    world.input('core.storageFailed', { message: 'quota' })
    throughGate(world)
    expect(theOrder(world)).toMatchObject({ phase: 'gateRefused', failure: { code: 'storage_down' } })
  })

  test('does not send with fewer than 20 blocks left, and waits for the proof', () => {
    const world = signed()
    world.wait(20_000)
    throughGate(world, { height: 150 - 32 - 19 })
    expect(theOrder(world)).toMatchObject({ phase: 'unknown', failure: { code: 'expired', facts: { left: 19 } } })
    expect(world.ordered('chain.submit')).toEqual([])
    gone(world)
    expect(theOrder(world).phase).toBe('expired')
  })

  test('sends with 20 blocks left', () => {
    const world = signed()
    world.wait(20_000)
    throughGate(world, { height: 150 - 32 - 20 })
    expect(theOrder(world).phase).toBe('sending')
  })

  // A block takes at least 200 ms, so fewer blocks can have passed since the blockhash was read
  test.each([
    ['a moment after it was built', 0, 99],
    ['a moment after it was built, however high', 0, 300_000_000],
    ['after 19 seconds', 19_000, 99],
  ])('ignores an impossible height: %s', (_name, waitMs, height) => {
    const world = signed()
    world.wait(waitMs)
    throughGate(world, { height })
    expect(theOrder(world).phase).toBe('sending')
  })

  test('believes any height after a jump of the clock', () => {
    const world = connected()
    placed(world)
    world.jump(-3_600_000)
    world.answer('wallet.signTransaction', 'wallet.signed', signedOf(world))
    throughGate(world, { height: 99 })
    expect(theOrder(world)).toMatchObject({ phase: 'unknown', failure: { code: 'expired' } })
  })

  test('believes any height in another life than the one that built it', () => {
    const world = signed()
    world.kill('lost')
    world.attach()
    world.answer('chain.identify', 'chain.identified', { genesisHash, caip2 })
    readSaleIn(world)
    world.fire(`gate:${theOrder(world).orderId}`)
    throughGate(world, { height: 99 })
    expect(theOrder(world)).toMatchObject({ phase: 'unknown', failure: { code: 'expired' } })
  })

  test('reads again when the reading was not believed, and judges by the next', () => {
    const world = signed()
    const { orderId } = theOrder(world)
    const before = world.ordered('chain.readSale').length
    expect(throughGate(world, { sale: saleReading(10 ** 12, world.at) }).types).toEqual([])
    expect(theOrder(world).phase).toBe('signed')
    expect(world.ordered('chain.submit')).toEqual([])
    world.wait(2000)
    world.fire(`gate:${orderId}`)
    expect(world.ordered('chain.readSale').length).toBeGreaterThan(before)
    throughGate(world, { sale: saleReading(1010, world.at) })
    expect(theOrder(world).phase).toBe('sending')
  })

  test('asks no wallet that sends while readings of the sale contradict each other', () => {
    const world = connected(['signAndSendTransaction'])
    placed(world)
    const { orderId } = theOrder(world)
    for (const tries of [1, 2, 3, 4, 5]) {
      if (tries > 1) world.fire(`gate:${orderId}`)
      throughGate(world, { sale: saleReading(tries * 10 ** 12, world.at) })
    }
    expect(theOrder(world)).toMatchObject({ phase: 'gateRefused', failure: { code: 'unreachable' } })
    expect(world.ordered('wallet.signAndSendTransaction')).toEqual([])
  })

  test('retries while the chain does not answer, and otherwise lets the order expire', () => {
    const world = signed()
    const { orderId } = theOrder(world)
    world.fail('chain.readSale', 'unreachable')
    expect(theOrder(world).phase).toBe('signed')
    world.fire(`gate:${orderId}`)
    throughGate(world)
    expect(theOrder(world).phase).toBe('sending')

    const never = signed()
    never.fail('chain.readSale', 'rate_limited')
    gone(never)
    expect(theOrder(never).phase).toBe('expired')
  })

  /** The next life, whose terms are out of reach. */
  const withoutTerms = (world: World) => {
    world.kill('lost')
    world.answer('chain.identify', 'chain.identified', { genesisHash, caip2 })
    world.fail('chain.readTerms', 'unreachable')
  }

  test('watches an order whose wallet answered, while the terms are out of reach', () => {
    const world = connected()
    placed(world)
    const [answer, { id: to }] = [signedOf(world), world.last('wallet.signTransaction')]
    withoutTerms(world)
    world.attach({ asking: [to] })
    world.input('wallet.signed', answer, { to, tab })
    expect(theOrder(world).phase).toBe('signed')
    gone(world)
    expect(theOrder(world).phase).toBe('expired')
  })

  test('gives up an order that no wallet was asked for, when the terms stay out of reach', () => {
    const world = connected(['signAndSendTransaction'])
    world.command('order.place', intent(world))
    withoutTerms(world)
    world.attach()
    world.answer('chain.prepareOrder', 'chain.orderPrepared', preparedOf(world.last('chain.prepareOrder').data))
    expect(theOrder(world).phase).toBe('simulated')
    world.pass(10_000)
    expect(theOrder(world)).toMatchObject({ phase: 'gateRefused', failure: { code: 'unreachable' } })
  })
})

describe('a sent order', () => {
  test('goes through seen and confirmed to final, and no checkpoint changes it', () => {
    const world = sent()
    expect(watched(world, { status: 'processed', slot: 1005 }).types).toEqual(['order.seen'])
    expect(watched(world, { status: 'processed', slot: 1005 }).types).toEqual([])
    expect(watched(world, { status: 'confirmed', slot: 1005 }).types).toEqual(['order.confirmed', 'order.progressed'])
    expect(openOrder(world.model)).toBeDefined()
    expect(watched(world, { status: 'finalized', slot: 1005 }).types).toEqual(['order.finalised'])
    expect(openOrder(world.model)).toBeUndefined()
    expect(world.ordered('bytes.forget').at(-1)?.data.refs).toEqual(['unsigned-hash-1', 'signed-hash-1'])
    const mark = { slot: 1005, time: noon, balances: {}, raised: '0', pos: '0' }
    expect(world.input('chain.notices', { ...notices, checkpoint: mark }).types).toEqual(['sale.noticesRead'])
    expect(theOrder(world).phase).toBe('finalised')
  })

  test('goes out again every two seconds with the same bytes until it is seen', () => {
    const world = sent()
    const { orderId } = theOrder(world)
    world.fire(`resend:${orderId}`)
    world.fire(`resend:${orderId}`)
    const sends = world.ordered('chain.submit')
    expect(sends.map(effect => effect.data.bytesRef)).toEqual(Array(3).fill('signed-hash-1'))
    expect(sends.map(effect => effect.data.first)).toEqual([true, false, false])
    watched(world, { status: 'processed', slot: 1005 })
    world.fire(`resend:${orderId}`)
    expect(world.ordered('chain.submit')).toHaveLength(3)
    expect(world.timers().has(`resend:${orderId}`)).toBe(false)
  })

  test('has balances and purchases read when it is confirmed and when it is final', () => {
    const world = sent()
    const before = world.ordered('chain.readPurchases').length
    watched(world, { status: 'confirmed', slot: 1005 })
    expect(world.ordered('chain.readPurchases')).toHaveLength(before + 1)
    expect(world.last('chain.readBalances').data.account).toBe(account)
  })

  test('without a trace of its signature takes the copy under its reference', () => {
    const world = sent()
    const came = watched(world, { landed: [landedOf(world, { signature: 'sig-2', status: 'finalized' })] })
    expect(came.types).toEqual(['order.signed', 'order.finalised'])
    expect(theOrder(world)).toMatchObject({ phase: 'finalised', signed: { signature: 'sig-2' }, slot: 1010 })
  })

  test('dropped by a fork after its confirmation is sent again, with the same bytes, and lands', () => {
    const world = sent()
    watched(world, { status: 'confirmed', slot: 1005 })
    const before = world.ordered('chain.submit').length
    expect(watched(world, {}).types).toEqual([])
    expect(watched(world, {}).types).toEqual([])
    expect(watched(world, {}).types).toEqual(['order.unseen'])
    expect(theOrder(world).phase).toBe('sending')
    expect(world.ordered('chain.submit')).toHaveLength(before + 1)
    expect(world.last('chain.submit').data.bytesRef).toBe('signed-hash-1')
    watched(world, { status: 'finalized', slot: 1009 })
    expect(theOrder(world)).toMatchObject({ phase: 'finalised', slot: 1009 })
  })

  test('that failed on the chain is failed only when that is final', () => {
    const error = { code: 'on_chain_error', message: 'custom 1' } as const
    const world = sent()
    expect(watched(world, { status: 'confirmed', slot: 1005, error }).types).toEqual(['order.seen'])
    expect(watched(world, { status: 'finalized', slot: 1005, error }).types).toEqual(['order.failedOnChain'])
    expect(theOrder(world)).toMatchObject({ phase: 'failedOnChain', failure: error })
  })

  test('rejected by a node before passing it on is not sent again, and its expiry is proved', () => {
    const world = sent()
    world.fail('chain.submit', 'insufficient_sol')
    expect(theOrder(world)).toMatchObject({ phase: 'unknown', failure: { code: 'insufficient_sol' } })
    world.fire(`resend:${theOrder(world).orderId}`)
    expect(world.ordered('chain.submit')).toHaveLength(1)
    gone(world)
    expect(theOrder(world)).toMatchObject({ phase: 'expired', proof: { providers: 1 } })
  })

  test.each(['rate_limited', 'unreachable', 'timeout', 'blockhash_not_found'] as const)(
    'that met %s on its way continues',
    code => {
      const world = sent()
      world.fail('chain.submit', code)
      expect(theOrder(world).phase).toBe('sending')
      world.fire(`resend:${theOrder(world).orderId}`)
      expect(world.ordered('chain.submit')).toHaveLength(2)
    },
  )

  test('is watched by one effect at a time, however slow the node', () => {
    const world = sent()
    const { orderId } = theOrder(world)
    const before = world.ordered('chain.watch').length
    for (let i = 0; i < 5; i++) world.fire(`watch:${orderId}`)
    expect(world.ordered('chain.watch')).toHaveLength(before + 1)
    world.fail('chain.watch', 'timeout')
    world.fire(`watch:${orderId}`)
    expect(world.ordered('chain.watch')).toHaveLength(before + 2)
  })

  test('can be dismissed once it is final, not before', () => {
    const world = sent()
    const { orderId } = theOrder(world)
    expect(world.command('order.dismiss', { orderId }).facts).toEqual([])
    watched(world, { status: 'finalized', slot: 1005 })
    expect(world.command('order.dismiss', { orderId }).types).toEqual(['order.dismissed'])
  })
})

describe('an order in doubt', () => {
  const doubtful = () => {
    const world = connected(['signAndSendTransaction'])
    placed(world)
    throughGate(world)
    world.fire(`silence:${theOrder(world).orderId}`)
    return world
  }
  const declined = () => {
    const world = doubtful()
    const { id: to } = world.last('wallet.signAndSendTransaction')
    world.input('wallet.failed', failing('user_rejected'), { to, tab })
    return world
  }

  test('is found by its reference, confirmed, and follows its signature to the end', () => {
    const world = doubtful()
    expect(theOrder(world).phase).toBe('unknown')
    watched(world, { landed: [landedOf(world)] })
    expect(theOrder(world)).toMatchObject({ phase: 'confirmed', signed: { signature: 'sig-7' } })
    expect(failureOf(theOrder(world))).toBeUndefined()
    world.fire(`watch:${theOrder(world).orderId}`)
    expect(world.last('chain.watch').data.signature).toBe('sig-7')
  })

  test('is proved unpaid, and its wallet asked no more', () => {
    const world = doubtful()
    const { orderId } = theOrder(world)
    gone(world)
    expect(theOrder(world).phase).toBe('expired')
    expect(world.timers().has(`silence:${orderId}`)).toBe(false)
  })

  test('that was proved unpaid is watched again when its wallet tells that it sent, and lands', () => {
    const world = doubtful()
    const { id: to } = world.last('wallet.signAndSendTransaction')
    gone(world)
    expect(world.command('order.dismiss', { orderId: theOrder(world).orderId }).types).toEqual(['order.dismissed'])
    world.input('wallet.sent', { signature: 'sig-late' }, { to, tab })
    expect(theOrder(world)).toMatchObject({ phase: 'sending', signed: { signature: 'sig-late' } })
    expect(theOrder(world).dismissed).toBeUndefined()
    expect(openOrder(world.model)).toBeDefined()
    watched(world, { status: 'finalized', landed: [landedOf(world, { signature: 'sig-late', status: 'finalized' })] })
    expect(theOrder(world)).toMatchObject({ phase: 'finalised', signed: { signature: 'sig-late' } })
    expect(isProved(theOrder(world))).toBe(false)
  })

  test.each([
    ['the same life', () => undefined],
    ['the next life', (world: World) => void world.kill()],
  ])('that was proved unpaid is found in %s when its silent wallet sent it with a newer blockhash', (_name, then) => {
    const world = doubtful()
    gone(world)
    const { orderId } = theOrder(world)
    const landed = landedOf(world, { decoded: decodedOf(world.last('chain.prepareOrder').data.order, 'hash-2') })
    world.command('order.dismiss', { orderId })
    then(world)
    world.fire(`watch:${orderId}`)
    expect(world.last('chain.watch').data).toMatchObject({ orderId, search: true })
    const said = { orderId, height: 300, heightSlot: 1300, nodeSlot: 1302 }
    world.answer('chain.watch', 'chain.status', { ...said, landed: [landed] })
    expect(theOrder(world)).toMatchObject({ orderId, phase: 'confirmed', signed: { signature: 'sig-7' } })
    watched(world, { status: 'finalized', landed: [{ ...landed, status: 'finalized' }] })
    expect(theOrder(world).phase).toBe('finalised')
  })

  test.each([
    ['its wallet was silent', doubtful],
    ['its wallet says that it was declined', declined],
  ])('that was proved unpaid is searched for ever more rarely, for a day, as %s', (_name, tell) => {
    const world = tell()
    gone(world, [proof(), proof()])
    const { orderId } = theOrder(world)
    expect(isProved(theOrder(world))).toBe(true)
    const said = { orderId, height: 300, heightSlot: 1300, nodeSlot: 1302, lying: 1, silent: ['a.example'] }
    let searches = 0
    while (world.timers().has(`watch:${orderId}`)) {
      world.fire(`watch:${orderId}`)
      if (world.ordered('chain.watch').every(effect => effect.answered)) break
      expect(world.answer('chain.watch', 'chain.status', { ...said, proofs: [proof()] }).facts).toEqual([])
      searches += 1
    }
    expect(searches).toBeGreaterThan(50)
    expect(searches).toBeLessThan(200)
    expect(world.at - noon).toBeGreaterThan(86_000_000)
    expect(world.at - noon).toBeLessThan(95_000_000)
  })

  test('that was declined and proved unpaid is found when its wallet sent it with a newer blockhash', () => {
    const world = declined()
    gone(world, [proof(), proof()])
    const { orderId } = theOrder(world)
    const landed = landedOf(world, { decoded: decodedOf(world.last('chain.prepareOrder').data.order, 'hash-2') })
    world.kill()
    watched(world, { height: 300, landed: [landed] })
    expect(theOrder(world)).toMatchObject({ orderId, phase: 'confirmed', signed: { signature: 'sig-7' } })
  })

  test('that no wallet was asked for is searched for no longer than until its end is proved', () => {
    const world = doubtful()
    const { id: to } = world.last('wallet.signAndSendTransaction')
    world.input('wallet.failed', failing('unauthorized'), { to, tab })
    gone(world)
    world.pass(60_000)
    expect(world.timers().has(`watch:${theOrder(world).orderId}`)).toBe(false)
  })

  test('that was declined and proved unpaid is watched again when its wallet tells that it sent', () => {
    const world = declined()
    gone(world)
    expect(isProved(theOrder(world))).toBe(true)
    const { id: to } = world.last('wallet.signAndSendTransaction')
    world.input('wallet.sent', { signature: 'sig-late' }, { to, tab })
    expect(theOrder(world)).toMatchObject({ phase: 'rejected', signed: { signature: 'sig-late' } })
    expect(isProved(theOrder(world))).toBe(false)
    watched(world, { status: 'finalized', landed: [landedOf(world, { signature: 'sig-late', status: 'finalized' })] })
    expect(theOrder(world).phase).toBe('finalised')
  })

  test('that its wallet sent, perhaps with a newer blockhash, expires only when any blockhash of then has', () => {
    const world = doubtful()
    const { id: to } = world.last('wallet.signAndSendTransaction')
    world.wait(50_000)
    world.input('wallet.sent', { signature: 'sig-1' }, { to, tab })
    watched(world, { height: 151 })
    world.wait(59_000)
    watched(world, { height: 352, proofs: [proof({ height: 352 })] })
    expect(theOrder(world).phase).toBe('sending')
    world.wait(1000)
    watched(world, { height: 351, proofs: [proof({ height: 351 })] })
    expect(theOrder(world).phase).toBe('sending')
    watched(world, { height: 352, proofs: [proof({ height: 352 })] })
    expect(theOrder(world).phase).toBe('expired')
    // The order of bytes that were signed, not sent, has the time of its own blockhash
    expect(world.input('wallet.sent', { signature: 'sig-2' }, { to, tab }).facts).toEqual([])
  })

  test('ends with a late decline', () => {
    const world = doubtful()
    const { id: to } = world.last('wallet.signAndSendTransaction')
    world.input('wallet.failed', failing('user_rejected'), { to, tab })
    expect(theOrder(world).phase).toBe('rejected')
  })

  test('with a decline and a payment after it is found', () => {
    const world = doubtful()
    const { id: to } = world.last('wallet.signAndSendTransaction')
    world.input('wallet.failed', failing('user_rejected'), { to, tab })
    world.input('wallet.sent', { signature: 'sig-8' }, { to, tab })
    expect(theOrder(world)).toMatchObject({ phase: 'rejected', signed: { signature: 'sig-8' } })
    watched(world, { status: 'finalized', landed: [landedOf(world, { signature: 'sig-8', status: 'finalized' })] })
    expect(theOrder(world)).toMatchObject({ phase: 'finalised', signed: { signature: 'sig-8' } })
  })
})

describe('a page that leaves while its prompt is open', () => {
  test('has ten seconds to come back with it', () => {
    const world = connected()
    placed(world)
    const { id } = world.last('wallet.signTransaction')
    world.input('page.left', {}, { tab })
    world.wait(9000)
    world.attach({ asking: [id] })
    expect(world.pass(5000)).not.toContain('order.unknown')
    world.input('wallet.signed', signedOf(world), { to: id, tab })
    expect(theOrder(world).phase).toBe('signed')
  })

  test('that does not come back leaves the order in doubt', () => {
    const world = connected()
    placed(world)
    world.input('page.left', {}, { tab })
    expect(world.pass(10_001)).toContain('order.unknown')
  })

  test('without the prompt, because the core died before it went out, opens the first one at the next press', () => {
    const world = connected()
    placed(world)
    world.kill('lost')
    expect(world.attach().types).toEqual(['order.pressAwaited'])
  })

  test('of another log may still have the prompt: no request follows before the order has expired', () => {
    const world = connected()
    placed(world)
    // Lives in between ran on another log, which lacks this order
    world.kill('lost')
    world.kill('lost')
    expect(world.attach().types).toEqual(['order.unknown'])
    expect(world.command('order.continue', { orderId: theOrder(world).orderId }).facts).toEqual([])
    gone(world)
    expect(theOrder(world).phase).toBe('expired')
  })

  test('that joins again while the order is on its way to it changes nothing', () => {
    const world = connected()
    placed(world)
    expect(world.attach().types).not.toContain('order.pressAwaited')
    expect(theOrder(world).phase).toBe('awaitingSignature')
  })
})

test('order: a signed transaction is compared with the exact built one', () => {
  const world = connected()
  placed(world)
  const built = builtOf(theOrder(world))
  const decoded = decodedOf(world.last('chain.prepareOrder').data.order)
  expect(built?.transfer).toEqual(decoded.instructions[3])
})

describe('data read before an order', () => {
  const legal = { sha256: terms.legal.sha256, url: 'https://sale.example/terms.html' }
  const refusal = (world: World) => {
    world.command('order.place', intent(world))
    return failureOf(theOrder(world))
  }

  test('is the legal document: unread, missing or exchanged, it cannot be accepted', () => {
    const world = begun()
    world.answer('chain.identify', 'chain.identified', { genesisHash, caip2 })
    world.answer('chain.readTerms', 'chain.terms', { terms, termsHash, presaleRef: 'p', noticeRef: 'n' })
    world.answer('chain.readNotices', 'chain.notices', notices)
    world.answer('chain.readSale', 'chain.sale', saleReading(1000, world.at))
    connectInstalled(world)
    expect(refusal(world)).toMatchObject({ code: 'unreachable' })
    world.fail('sale.readLegal', 'terms_invalid')
    expect(refusal(world)).toMatchObject({ code: 'terms_invalid' })
    world.fire('sale:poll')
    world.answer('chain.readSale', 'chain.sale', saleReading(1001, world.at))
    world.answer('sale.readLegal', 'sale.legal', legal)
    expect(refusal(world)).toBeUndefined()
  })

  test('stays read while the document is unreachable', () => {
    const world = connected()
    world.kill('start')
    world.answer('chain.readTerms', 'chain.terms', { terms, termsHash, presaleRef: 'p', noticeRef: 'n' })
    expect(world.fail('sale.readLegal', 'unreachable').types).toEqual([])
    world.kill('start')
    world.answer('chain.readTerms', 'chain.terms', { terms, termsHash, presaleRef: 'p', noticeRef: 'n' })
    expect(world.fail('sale.readLegal', 'terms_invalid').types).toEqual(['sale.legalFailed'])
  })

  test('is a checkpoint: without one the price is unknown', () => {
    const world = connected()
    const { checkpoint: _, ...without } = notices
    const order = intent(world)
    world.input('chain.notices', without)
    world.command('order.place', order)
    expect(failureOf(theOrder(world))).toMatchObject({ code: 'unreachable' })
  })

  test('is the list of an allowlist sale, with the account on it', () => {
    const access = { mode: 'allowlist', sha256: '0'.repeat(64), url: './list.txt' } as const
    const world = begun()
    world.answer('chain.identify', 'chain.identified', { genesisHash, caip2 })
    world.answer('chain.readTerms', 'chain.terms', {
      terms: { ...terms, access },
      termsHash,
      presaleRef: 'p',
      noticeRef: 'n',
    })
    world.answer('chain.readNotices', 'chain.notices', notices)
    world.answer('chain.readSale', 'chain.sale', saleReading(1000, world.at))
    world.answer('sale.readLegal', 'sale.legal', legal)
    connectInstalled(world)
    expect(world.last('sale.readAccess').data).toEqual({ account, url: access.url, sha256: access.sha256 })
    expect(refusal(world)).toMatchObject({ code: 'unreachable' })
    world.fail('sale.readAccess', 'terms_invalid')
    expect(refusal(world)).toMatchObject({ code: 'terms_invalid' })
    const lists = world.ordered('sale.readAccess').length
    world.input('chain.notices', notices)
    world.input('chain.balances', { account, slot: 1001, amounts: { SOL: '20000000000' } })
    expect(world.ordered('sale.readAccess')).toHaveLength(lists)
    world.fire('sale:poll')
    world.answer('chain.readSale', 'chain.sale', saleReading(1001, world.at))
    world.answer('sale.readAccess', 'sale.access', { account, allowed: false })
    expect(refusal(world)).toMatchObject({ code: 'unauthorized', facts: { rule: 'ALLOWLIST' } })
    world.input('sale.access', { account, allowed: true })
    expect(refusal(world)).toBeUndefined()
  })

  test('is the list of such a sale, which is read at once in the next life after it could not be read', () => {
    const access = { mode: 'allowlist', sha256: '0'.repeat(64), url: './list.txt' } as const
    const world = begun()
    const readSale = () => {
      world.answer('chain.identify', 'chain.identified', { genesisHash, caip2 })
      world.answer('chain.readTerms', 'chain.terms', {
        terms: { ...terms, access },
        termsHash,
        presaleRef: 'p',
        noticeRef: 'n',
      })
      world.answer('chain.readNotices', 'chain.notices', notices)
    }
    readSale()
    connectInstalled(world)
    world.fail('sale.readAccess', 'terms_invalid')
    world.kill('start')
    world.attach()
    readSale()
    // The effects of the life before are gone
    expect(world.ordered('sale.readAccess')).toHaveLength(1)
    world.fail('sale.readAccess', 'terms_invalid')
    world.input('chain.notices', notices)
    expect(world.ordered('sale.readAccess')).toHaveLength(1)
  })
})
