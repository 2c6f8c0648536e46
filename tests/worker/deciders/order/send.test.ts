import { describe, expect, test } from 'vitest'
import { askOf, builtOf, isProved, openOrder } from '../../../../src/events/subjects/order/order.ts'
import { moneyUnderWay } from '../../../../src/worker/host/money/moneyUnderWay.ts'
import { endedKept } from '../../../../src/events/subjects/order/orderRetention.ts'
import { mostSendable, recentRecipients, shownSend } from '../../../../src/events/subjects/order/sends.ts'
import { lookAlike } from '../../../../src/events/values/solana/alikeAddress.ts'
import { committedCredits } from '../../../../src/events/sale/saleNow.ts'
import type { DecodedInstruction } from '../../../../src/events/values/solana/transaction.ts'
import { programs } from '../../../../src/worker/chains/solana/programs.ts'
import { exampleTerms } from '../../../events/values/exampleTerms.ts'
import { account, connected, genesisHash, gone, intent, other, proof, theOrder, watched } from '../../story.ts'
import { failing, tab, type World } from '../../world.ts'
import {
  decodedSend,
  mint,
  newMint,
  preparedSend,
  pressed,
  readyToSend,
  request,
  sentOff,
  shown,
  signedSend,
  throughSendGate,
} from './sendStory.ts'

const { treasury, authority } = exampleTerms()
const third = '7e5pxK83ceXb2iWXBizF1U8MdL7C5VcVBBXpDWaYo3x1'
const asked = (world: World) => world.last('chain.prepareSend').data

describe('a requested transfer', () => {
  test('is drafted with exact base units, built, and waits for a press', () => {
    const world = readyToSend()
    const came = world.command('send.request', request({ amount: '0.000000001' }))
    expect(came.types).toEqual(['order.drafted', 'order.quoted', 'order.accepted'])
    expect(asked(world).send).toMatchObject({ account, to: other, units: '1', decimals: 9, recent: [] })
    world.answer('chain.prepareSend', 'chain.sendPrepared', preparedSend(asked(world)))
    expect(theOrder(world)).toMatchObject({ phase: 'pressAwaited', quote: { quoted: '0', min: '0' }, units: '1' })
    expect(builtOf(theOrder(world))).toMatchObject({ memo: '', fee: '5000', orderRef: 'send-00ff00ff00ff00ff' })
    expect(world.ordered('wallet.signTransaction')).toEqual([])
  })

  test('names a token by its mint, and its program, decimals and source come from the reading', () => {
    const world = readyToSend()
    shown(world, { asset: newMint, amount: '1.25' }, true)
    expect(asked(world).send).toMatchObject({ units: '1250000', mint: newMint, program: programs.token2022 })
    const { transfer, program, creates } = builtOf(theOrder(world)) ?? {}
    expect(transfer).toMatchObject({ amount: '1250000', mint: newMint, owner: account })
    expect(program).toBe(programs.token2022)
    expect(creates).toEqual({ owner: other, rent: '2039280' })
  })

  test.each([
    '1e9',
    ',5',
    '1,5',
    '00',
    '01',
    '.5',
    '1.',
    '+1',
    '-1',
    '',
    ' ',
    '１',
    '٣',
    '0x1',
    'NaN',
    '1.0000000001',
    `0.${'0'.repeat(29)}1`,
    '9'.repeat(19),
  ])('of the amount %j is refused', amount => {
    const world = readyToSend()
    world.command('send.request', request({ amount }))
    expect(theOrder(world)).toMatchObject({
      phase: 'gateRefused',
      failure: { code: 'bad_input', facts: { rule: 'AMOUNT' } },
    })
    expect(world.ordered('chain.prepareSend')).toEqual([])
  })

  test.each([
    ['of nothing', { amount: '0' }, 'bad_input', 'ZERO'],
    ['of nothing with decimals', { amount: '0.000' }, 'bad_input', 'ZERO'],
    ['of more decimals than the token has', { asset: mint, amount: '0.0000001' }, 'bad_input', 'AMOUNT'],
    ['of a token that the account does not hold', { asset: third }, 'no_token_account', 'TOKEN'],
    ['to the sender', { recipient: account }, 'bad_input', 'SELF'],
    ['to where the sale is paid', { recipient: treasury }, 'bad_input', 'RECIPIENT_OF_SALE'],
    ['to the sale’s authority', { recipient: authority }, 'bad_input', 'RECIPIENT_OF_SALE'],
  ] as const)('%s is refused with its rule', (_name, changes, code, rule) => {
    const world = readyToSend()
    world.command('send.request', request(changes))
    expect(theOrder(world)).toMatchObject({ phase: 'gateRefused', failure: { code, facts: { rule } } })
    expect(world.ordered('chain.prepareSend')).toEqual([])
  })

  test('to where the sale is paid is built once its person has read that it buys nothing', () => {
    const world = readyToSend()
    world.command('send.request', request({ recipient: treasury, confirmed: ['ofSale'] }))
    expect(asked(world).send).toMatchObject({ to: treasury, confirmed: ['ofSale'] })
  })

  test('without a durable log is refused, and without a wallet', () => {
    const world = readyToSend()
    world.input('core.storageFailed', { message: 'quota' })
    world.command('send.request', request())
    expect(theOrder(world)).toMatchObject({ failure: { code: 'storage_down' } })
    const alone = readyToSend()
    alone.command('connection.disconnect', { connectionId: alone.model.connection.active ?? '' })
    alone.command('send.request', request())
    expect(theOrder(alone)).toMatchObject({ failure: { code: 'wallet_gone' } })
  })

  test("keeps the driver's refusal and its rule", () => {
    const world = readyToSend()
    world.command('send.request', request())
    const failure = {
      code: 'bad_input',
      message: 'a transfer expected a wallet',
      facts: { rule: 'RECIPIENT_MINT' },
    } as const
    world.answer('chain.prepareSend', 'effect.failed', { failure })
    expect(theOrder(world)).toMatchObject({ phase: 'simulationFailed', failure })
  })

  test('gives way to another one before its press, and to a purchase, and never after', () => {
    const world = readyToSend()
    shown(world)
    const first = theOrder(world).orderId
    shown(world, { amount: '2', orderKey: '11ff00ff00ff00ff' })
    expect(world.model.order[first]?.phase).toBe('abandoned')
    expect(theOrder(world)).toMatchObject({ phase: 'pressAwaited', units: '2000000000' })
    world.command('order.place', intent(world))
    expect(openOrder(world.model)?.send).toBeUndefined()

    const asking = readyToSend()
    pressed(asking)
    expect(asking.command('send.request', request({ amount: '2' })).facts).toEqual([])
    expect(asking.command('order.place', intent(asking)).facts).toEqual([])
  })

  test('holds up no switch of networks before its wallet is asked: a tab that closed may have left it', () => {
    const world = readyToSend()
    shown(world)
    expect(moneyUnderWay(world.model)).toBe(false)
    world.command('order.continue', { orderId: theOrder(world).orderId })
    expect(moneyUnderWay(world.model)).toBe(true)
  })

  test('is not one of the sale: it counts against no limit', () => {
    const world = readyToSend()
    sentOff(world)
    expect(committedCredits(world.model, account)).toBe(0n)
  })
})

describe('the transaction of a transfer', () => {
  type Change = (one: DecodedInstruction) => DecodedInstruction
  const changed = (change: Change) => (decoded: ReturnType<typeof decodedSend>) => ({
    ...decoded,
    instructions: decoded.instructions.map(change),
  })
  const of = (kind: DecodedInstruction['kind'], fields: object) =>
    changed(one => (one.kind === kind ? ({ ...one, ...fields } as DecodedInstruction) : one))
  const beside = (more: DecodedInstruction) => (decoded: ReturnType<typeof decodedSend>) => ({
    ...decoded,
    instructions: [...decoded.instructions, more],
  })
  const creation = {
    kind: 'createTokenAccount',
    payer: account,
    account: 'x',
    owner: other,
    mint,
    program: programs.token,
  } as const
  const changes = [
    ['another amount', of('tokenTransfer', { amount: '1' })],
    ['another recipient', of('tokenTransfer', { destination: 'thief' })],
    ['another token', of('tokenTransfer', { mint: newMint })],
    ['another source', of('tokenTransfer', { source: 'x' })],
    ['another program', of('tokenTransfer', { program: programs.token2022 })],
    ['other decimals', of('tokenTransfer', { decimals: 9 })],
    ['another reference', of('tokenTransfer', { references: ['x'] })],
    ['no reference', of('tokenTransfer', { references: [] })],
    ['an account for another', of('createTokenAccount', { owner: third })],
    ['an account of another token', of('createTokenAccount', { mint: newMint })],
    ['an account at another address', of('createTokenAccount', { account: 'x' })],
    ['an account of another program', of('createTokenAccount', { program: programs.token2022 })],
    ['an account that another pays', of('createTokenAccount', { payer: third })],
    ['a second account', beside(creation)],
    ['a memo', beside({ kind: 'memo', text: 'hello' })],
    ['a second transfer', beside({ kind: 'transfer', from: account, to: third, lamports: '1', references: [] })],
    ['an approval', beside({ kind: 'other', program: programs.token, name: 'approve' })],
    ['a dear fee', of('computePrice', { microLamports: '900000000' })],
  ] as const

  test.each(changes)('is not asked for with %s', (_name, change) => {
    const world = readyToSend()
    world.command('send.request', request({ asset: mint }))
    const answer = preparedSend(asked(world), { isNew: true })
    world.answer('chain.prepareSend', 'chain.sendPrepared', { ...answer, decoded: change(answer.decoded) })
    expect(theOrder(world)).toMatchObject({ phase: 'simulationFailed', failure: { facts: { rule: 'BUILT' } } })
  })

  test.each(changes)('is not sent when the wallet returns %s', (_name, change) => {
    const world = readyToSend()
    pressed(world, { asset: mint }, true)
    const signed = signedSend(world)
    world.answer('wallet.signTransaction', 'wallet.signed', { ...signed, decoded: change(signed.decoded) })
    expect(theOrder(world)).toMatchObject({ phase: 'gateRefused', failure: { code: 'wallet_changed_tx' } })
    expect(world.ordered('chain.submit')).toEqual([])
  })

  test('creates no account that was not announced', () => {
    const world = readyToSend()
    pressed(world, { asset: mint })
    const signed = signedSend(world)
    const { send } = asked(world)
    world.answer('wallet.signTransaction', 'wallet.signed', { ...signed, decoded: decodedSend(send, 'hash-1', true) })
    expect(theOrder(world)).toMatchObject({ phase: 'gateRefused', failure: { code: 'wallet_changed_tx' } })
  })

  test('of a purchase is no answer to a transfer, nor the other way round', () => {
    const world = readyToSend()
    world.command('send.request', request())
    const { orderId } = theOrder(world)
    const { reference: _, ...rest } = preparedSend(asked(world))
    const purchase = { ...rest, orderId, orderRef: 'x', buyerRef: 'y', memo: '' }
    world.input('chain.orderPrepared', purchase)
    expect(theOrder(world)).toMatchObject({ phase: 'simulationFailed' })
    const buying = readyToSend()
    buying.command('order.place', intent(buying))
    buying.input('chain.sendPrepared', {
      ...preparedSend({ orderId, send: asked(world).send }),
      orderId: theOrder(buying).orderId,
    })
    expect(theOrder(buying)).toMatchObject({ phase: 'simulationFailed' })
  })
})

describe('a press for a transfer', () => {
  test('asks the wallet in the tab of the press, once, when the request is on disk', () => {
    const world = readyToSend()
    shown(world)
    const { orderId } = theOrder(world)
    const came = world.command('order.continue', { orderId })
    expect(came.types).toEqual(['order.asked'])
    expect(came.effects[0]).toMatchObject({ type: 'wallet.signTransaction', after: 'stored', tab })
    expect(world.command('order.continue', { orderId }).facts).toEqual([])
    expect(world.ordered('wallet.signTransaction')).toHaveLength(1)
  })

  test('on an old one builds it again under the same key, at most at the fee shown, and asks without another press', () => {
    const world = readyToSend()
    shown(world)
    world.wait(31_000)
    world.command('order.continue', { orderId: theOrder(world).orderId })
    const again = asked(world)
    expect(again.send).toMatchObject({ orderKey: '00ff00ff00ff00ff', mostFee: '5000' })
    const answer = preparedSend(again, { blockhash: 'hash-2' })
    world.answer('chain.prepareSend', 'chain.sendPrepared', answer)
    expect(theOrder(world)).toMatchObject({ phase: 'awaitingSignature', built: { blockhash: 'hash-2' } })
  })

  test('never pays a higher fee than was shown', () => {
    const world = readyToSend()
    shown(world)
    world.wait(31_000)
    world.command('order.continue', { orderId: theOrder(world).orderId })
    const answer = preparedSend(asked(world), { blockhash: 'hash-2' })
    const dearer = { ...answer.decoded.instructions[1], microLamports: '50000' } as DecodedInstruction
    const instructions = answer.decoded.instructions.map((one, at) => (at === 1 ? dearer : one))
    world.answer('chain.prepareSend', 'chain.sendPrepared', {
      ...answer,
      fee: '6000',
      decoded: { ...answer.decoded, instructions },
    })
    expect(theOrder(world)).toMatchObject({ phase: 'simulationFailed' })
  })

  test('that comes upon new rent shows it, and waits for another press', () => {
    const world = readyToSend()
    shown(world, { asset: mint })
    world.wait(31_000)
    world.command('order.continue', { orderId: theOrder(world).orderId })
    const answer = preparedSend(asked(world), { blockhash: 'hash-2', isNew: true })
    world.answer('chain.prepareSend', 'chain.sendPrepared', answer)
    expect(theOrder(world)).toMatchObject({ phase: 'pressAwaited', built: { creates: { rent: '2039280' } } })
    world.command('order.continue', { orderId: theOrder(world).orderId })
    expect(theOrder(world).phase).toBe('awaitingSignature')
  })

  test('after the worker died and came back is built again and shown again', () => {
    const world = readyToSend()
    world.command('send.request', request())
    world.kill('lost')
    world.answer('chain.prepareSend', 'chain.sendPrepared', preparedSend(asked(world)))
    expect(theOrder(world).phase).toBe('pressAwaited')
    expect(world.ordered('wallet.signTransaction')).toEqual([])
  })

  test('ends with a sentence where the RPC serves another chain when the worker comes back', () => {
    const world = readyToSend(['signTransaction'], { genesisHash })
    world.command('send.request', request())
    world.kill('lost')
    const foreign = { genesisHash: 'E'.repeat(44), caip2: `solana:${'E'.repeat(32)}` }
    world.answer('chain.identify', 'chain.identified', foreign)
    world.kill('lost')
    expect(theOrder(world)).toMatchObject({ phase: 'gateRefused', failure: { facts: { rule: 'NETWORK' } } })
    expect(openOrder(world.model)).toBeUndefined()
  })

  test('with a wallet that sends by itself asks it without reading the sale', () => {
    const world = readyToSend(['signAndSendTransaction'])
    pressed(world)
    expect(world.last('wallet.signAndSendTransaction').data).toMatchObject({ account })
    world.answer('wallet.signAndSendTransaction', 'wallet.sent', { signature: 'sig-9' })
    expect(theOrder(world).phase).toBe('sending')
  })
})

describe('a signed transfer', () => {
  test('is sent after the gate has read the height alone, also while the sale is paused or distrusted', () => {
    const world = readyToSend()
    pressed(world)
    const sales = world.ordered('chain.readSale').length
    world.answer('wallet.signTransaction', 'wallet.signed', signedSend(world))
    expect(world.ordered('chain.readSale')).toHaveLength(sales)
    expect(throughSendGate(world).types).toEqual(['order.sending'])
    expect(world.ordered('chain.submit')).toHaveLength(1)
  })

  test('is not sent when the log is lost, or too few blocks are left', () => {
    const world = readyToSend()
    pressed(world)
    world.answer('wallet.signTransaction', 'wallet.signed', signedSend(world))
    world.wait(60_000)
    throughSendGate(world, 100)
    expect(theOrder(world)).toMatchObject({ phase: 'unknown', failure: { code: 'expired' } })
    const lost = readyToSend()
    pressed(lost)
    lost.answer('wallet.signTransaction', 'wallet.signed', signedSend(lost))
    lost.input('core.storageFailed', { message: 'quota' })
    throughSendGate(lost)
    expect(theOrder(lost)).toMatchObject({ phase: 'gateRefused', failure: { code: 'storage_down' } })
    expect([...world.ordered('chain.submit'), ...lost.ordered('chain.submit')]).toEqual([])
  })

  test('becomes final, its balances are read anew, and its recipient is remembered', () => {
    const world = readyToSend()
    sentOff(world)
    watched(world, { status: 'confirmed', slot: 2004 })
    expect(world.last('chain.readBalances').data.tokens).toBe(true)
    watched(world, { status: 'finalized', slot: 2004 })
    expect(theOrder(world).phase).toBe('finalised')
    expect(recentRecipients(world.model.order, account)).toEqual([other])
    expect(recentRecipients(world.model.order, other)).toEqual([])
    world.command('send.request', request({ recipient: third, confirmed: ['lookAlike'] }))
    expect(asked(world).send).toMatchObject({ recent: [other], confirmed: ['lookAlike'] })
  })

  test('of unknown outcome blocks another one until it is found or proved gone', () => {
    const world = readyToSend()
    pressed(world)
    world.fire(`silence:${theOrder(world).orderId}`)
    expect(world.command('send.request', request()).facts).toEqual([])
    gone(world)
    expect(theOrder(world).phase).toBe('expired')
    world.command('send.request', request())
    expect(openOrder(world.model)).toMatchObject({ phase: 'accepted' })
  })

  test('that was refused after signing blocks another one until it is proved gone', () => {
    const world = readyToSend()
    pressed(world)
    const signed = signedSend(world)
    world.answer('wallet.signTransaction', 'wallet.signed', {
      ...signed,
      decoded: { ...signed.decoded, feePayer: other },
    })
    const { orderId } = theOrder(world)
    world.command('send.request', request())
    expect(theOrder(world)).toMatchObject({
      phase: 'gateRefused',
      failure: { code: 'busy', facts: { rule: 'EARLIER' } },
    })
    expect(world.model.order[orderId]?.phase).toBe('gateRefused')
  })

  test('beside which an altered one landed blocks another one while it may land too, also once the alarm was read', () => {
    const world = readyToSend()
    sentOff(world)
    const { orderId } = theOrder(world)
    const decoded = { ...decodedSend(asked(world).send), feePayer: other }
    watched(world, { landed: [{ signature: 'sig-8', status: 'confirmed', slot: 2004, decoded }] })
    expect(theOrder(world)).toMatchObject({ phase: 'unknown', alarm: { signature: 'sig-8' } })
    world.command('order.dismiss', { orderId })
    world.command('send.request', request())
    expect(theOrder(world)).toMatchObject({ phase: 'gateRefused', failure: { facts: { rule: 'EARLIER' } } })
    world.wait(300_000)
    world.command('send.request', request())
    expect(theOrder(world)).toMatchObject({ phase: 'accepted' })
  })

  test('that the person declined blocks nothing', () => {
    const world = readyToSend()
    pressed(world)
    world.answer('wallet.signTransaction', 'wallet.failed', failing('user_rejected'))
    world.command('send.request', request())
    expect(theOrder(world)).toMatchObject({ phase: 'accepted' })
  })

  describe('whose wallet sends by itself', () => {
    const again = (world: World, changes: Parameters<typeof request>[0] = {}) =>
      world.command('send.request', request({ orderKey: '11ff00ff00ff00ff', ...changes }))
    const refused = (rule: string) => ({ phase: 'gateRefused', failure: { code: 'busy', facts: { rule } } })

    test('and never answered lets another one begin once a person knows that it may still be sent', () => {
      const world = readyToSend(['signAndSendTransaction'])
      pressed(world)
      world.fire(`silence:${theOrder(world).orderId}`)
      gone(world, [proof(), proof()])
      expect(theOrder(world).phase).toBe('expired')
      again(world)
      expect(theOrder(world)).toMatchObject(refused('EARLIER_UNANSWERED'))
      again(world, { despiteEarlier: true })
      expect(theOrder(world)).toMatchObject({ phase: 'accepted' })
    })

    test('and never answered is passed over after a day', () => {
      const world = readyToSend(['signAndSendTransaction'])
      pressed(world)
      world.fire(`silence:${theOrder(world).orderId}`)
      gone(world, [proof(), proof()])
      world.wait(86_400_000)
      again(world)
      expect(theOrder(world)).toMatchObject({ phase: 'accepted' })
    })

    test.each([
      ['before its end is proved', 0, refused('EARLIER_DECLINED')],
      ['once its end is proved', 1, refused('EARLIER_DECLINED')],
      ['but not after a day', 86_400_000, { phase: 'accepted' }],
    ])('and says that it was declined does the same %s', (_name, later, expected) => {
      const world = readyToSend(['signAndSendTransaction'])
      pressed(world)
      world.answer('wallet.signAndSendTransaction', 'wallet.failed', failing('user_rejected'))
      if (later > 0) gone(world, [proof(), proof()])
      expect(isProved(theOrder(world))).toBe(later > 0)
      world.wait(later)
      again(world)
      expect(theOrder(world)).toMatchObject(expected)
    })
  })

  test('that was declined, but whose wallet names a signature later, blocks the press for the next one', () => {
    const world = readyToSend(['signAndSendTransaction'])
    pressed(world)
    const first = theOrder(world)
    world.answer('wallet.signAndSendTransaction', 'wallet.failed', failing('user_rejected'))
    shown(world, { orderKey: '11ff00ff00ff00ff', despiteEarlier: true })
    world.input('wallet.sent', { signature: 'sig-9' }, { to: askOf(first)?.askId ?? '', tab })
    world.command('order.continue', { orderId: theOrder(world).orderId })
    expect(theOrder(world)).toMatchObject({ phase: 'gateRefused', failure: { facts: { rule: 'EARLIER' } } })
    expect(world.ordered('wallet.signAndSendTransaction')).toHaveLength(1)
  })

  test('is asked for once, whenever the worker dies', () => {
    for (const cause of ['start', 'lost'] as const) {
      const world = readyToSend()
      sentOff(world)
      world.kill(cause)
      expect(theOrder(world).phase).toBe('sending')
      watched(world, { status: 'finalized', slot: 2004 })
      expect(theOrder(world).phase).toBe('finalised')
      expect(world.ordered('wallet.signTransaction').length).toBeLessThanOrEqual(1)
    }
  })
})

describe('selectors', () => {
  test('an address looks like another one by its ends, whatever their case, and never like itself', () => {
    const between = third.slice(4, -4)
    const known = [account, `AbCd${other.slice(4, -4)}wXyZ`]
    expect(lookAlike(`AbCd${between}wXyZ`, known)).toBe(known[1])
    expect(lookAlike(`aBcD${between}WxYz`, known)).toBe(known[1])
    expect(lookAlike(`AbCd${between}wXy1`, known)).toBeUndefined()
    expect(lookAlike(other, [account, other])).toBeUndefined()
    expect(lookAlike(third, [account, other])).toBeUndefined()
  })

  test('the most that can be sent keeps rent and the highest fee; a token is sent whole', () => {
    const world = readyToSend()
    const { balance } = world.model
    expect(mostSendable(balance, account, 'SOL')).toBe(String(20_000_000_000n - 5_000n - 500_000n - 890_880n))
    expect(mostSendable(balance, account, mint)).toBe('9000000000')
    expect(mostSendable(balance, account, third)).toBeUndefined()
    expect(mostSendable(balance, other, 'SOL')).toBeUndefined()
    expect(mostSendable({ [account]: { amounts: { SOL: '5' }, slot: 1, readAt: 1 } }, account, 'SOL')).toBe('0')
  })

  test('the shown transfer is the open one, else the newest that was not put away, and no purchase', () => {
    const world = connected()
    world.command('order.place', intent(world))
    expect(shownSend(world.model.order)).toBeUndefined()
    const sending = readyToSend()
    sending.command('send.request', request({ amount: '0' }))
    const refused = theOrder(sending).orderId
    expect(shownSend(sending.model.order)?.orderId).toBe(refused)
    sending.command('order.dismiss', { orderId: refused })
    expect(shownSend(sending.model.order)).toBeUndefined()
    shown(sending)
    expect(shownSend(sending.model.order)?.phase).toBe('pressAwaited')
  })

  test('a later reading without tokens keeps those known', () => {
    const world = readyToSend()
    world.command('balance.refresh', {})
    world.answer('chain.readBalances', 'chain.balances', { account, slot: 2001, amounts: { SOL: '5', USDC: '0' } })
    expect(world.model.balance[account]?.tokens).toHaveLength(2)
  })

  test('paid transfers leave the model as others do', () => {
    const world = readyToSend()
    for (let made = 0; made <= endedKept + 2; made += 1) {
      sentOff(world, { orderKey: made.toString(16).padStart(16, '0') })
      watched(world, { status: 'finalized', slot: 2004 })
    }
    expect(Object.keys(world.model.order).length).toBeLessThanOrEqual(endedKept + 1)
  })
})
