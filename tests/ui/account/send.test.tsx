// @vitest-environment happy-dom
/** The screens of a transfer: its form, the choice of a token, the review, and how it went. */
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import type { CoreSideFact } from '../../../src/events/app.ts'
import type { Command } from '../../../src/events/command.ts'
import { mostTokens } from '../../../src/events/subjects/sale/balance.ts'
import { sendDraft } from '../../../src/events/subjects/order/sends.ts'
import { SendScreen } from '../../../src/ui/account/send/SendScreen.tsx'
import { ModalView } from '../../../src/ui/modal/ModalView.tsx'
import { exampleTerms } from '../../events/values/exampleTerms.ts'
import { account, genesis } from '../modalStage.ts'
import { onStage, settle } from '../onStage.tsx'
import {
  asked,
  bonk,
  built,
  drafted,
  failedOnChain,
  final,
  holding,
  landed,
  openForm,
  orderKey,
  recipient,
  refused,
  rejected,
  requested,
  sent,
  shown,
  unanswered,
  usdc,
} from '../sendStates.ts'

afterEach(cleanup)

const accountChanged: CoreSideFact = {
  type: 'connection.accountsChanged',
  data: { connectionId: 'c1', accounts: [recipient] },
}

type Draft = Parameters<typeof drafted>[0]
/** The form over the account; the modal's chunk of it is loaded. */
async function form(draft?: Draft, ...facts: CoreSideFact[]) {
  const on = onStage()
  act(() => holding(on))
  act(() => openForm(on, draft))
  on.facts(...facts)
  on.show(<ModalView />)
  await settle()
  await act(async () => void (await import('../../../src/ui/account/send/SendScreen.tsx')))
  return on
}
const button = () => screen.getByTestId('send-review')
const label = () => button().textContent
const commandsOf = <T extends Command['type']>(on: { commands: Command[] }, type: T) =>
  on.commands.filter((one): one is Extract<Command, { type: T }> => one.type === type)

describe('the form of a transfer', () => {
  test.each<[needs: string, Draft]>([
    ['Select a token', { asset: '', amount: '', recipient: '' }],
    ['Add an amount', { amount: '' }],
    ['Add an amount', { amount: '0.0' }],
    ['Insufficient funds', { amount: '12.481', recipient: '' }],
    ['Insufficient funds', { asset: usdc, amount: '375.000001' }],
    ['Add an address', { recipient: '' }],
    ['Invalid address', { recipient: 'O0Il' }],
    ['Invalid address', { recipient: recipient.slice(0, 20) }],
    ['Invalid address', { recipient: account }],
    ['Review', {}],
    ['Review', { amount: '12.479838687' }],
    ['Review', { amount: ',5' }],
  ])('says %s', async (needs, draft) => {
    await form(draft)
    expect(label()).toBe(needs)
  })

  test.each(['1e9', '00', '٣', '1.1234567890', `0.${'1'.repeat(30)}`, '1,234', '-1', `${'9'.repeat(19)}`])(
    'calls %s an incorrect value and asks for nothing',
    async amount => {
      const on = await form({ amount })
      expect(label()).toBe('Incorrect value')
      fireEvent.click(button())
      await settle()
      expect(on.types()).not.toContain('send.request')
    },
  )

  test('has no amount before a token is chosen, and leads to the tokens', async () => {
    const on = await form()
    expect(screen.getByTestId<HTMLInputElement>('send-amount').disabled).toBe(true)
    fireEvent.click(button())
    expect(on.said.at(-1)).toEqual(shown('WalletSendSelectToken'))
  })

  test('keeps what is typed as facts, an address without its spaces', async () => {
    const on = await form({ amount: '', recipient: '' })
    fireEvent.change(screen.getByTestId('send-amount'), { target: { value: '2' } })
    fireEvent.change(screen.getByTestId('send-recipient'), { target: { value: ` ${recipient}\n` } })
    expect(sendDraft(on.store.model())).toMatchObject({ asset: 'SOL', amount: '2', recipient })
  })

  test('says beside the amount that a token does not suffice', async () => {
    await form({ asset: usdc, amount: '375.000001' })
    expect(screen.getByTestId('modal').textContent).toContain('Insufficient token balance.')
  })

  test('shows dollars, the balance, and fills in the most that can be sent', async () => {
    await form({})
    expect(screen.getByTestId('modal').textContent).toContain('$240.00')
    expect(screen.getByTestId('send-held').textContent).toBe('12.48123 SOL')
    fireEvent.click(screen.getByTestId('send-max'))
    expect(screen.getByTestId<HTMLInputElement>('send-amount').value).toBe('12.479838687')
    expect(label()).toBe('Review')
  })

  test('warns of an address that begins and ends like the own one', async () => {
    const alike = `${account.slice(0, 4)}${recipient.slice(4, -4)}${account.slice(-4)}`
    await form({ recipient: alike })
    expect(screen.getByTestId('modal').textContent).toContain('begins and ends like 2xiX…8C3f')
  })

  test('warns of an address of the sale, where a transfer buys nothing', async () => {
    const terms = exampleTerms()
    const on = await form({ recipient: terms.treasury })
    expect(screen.getByTestId('modal').textContent).not.toContain('buys no tokens')
    on.facts({ type: 'sale.termsRead', data: { terms, termsHash: 'hash', presaleRef: 'presale' } })
    expect(screen.getByTestId('modal').textContent).toContain('a transfer there buys no tokens')
  })

  test('asks once for two presses, with the amount as a plain number, and opens the review of its own transfer', async () => {
    const on = await form({ amount: '1,5' })
    fireEvent.click(button())
    fireEvent.click(button())
    await settle()
    const requests = commandsOf(on, 'send.request')
    expect(requests).toMatchObject([{ data: { asset: 'SOL', amount: '1.5', recipient, confirmed: [] } }])
    expect(label()).toBe('Checking')
    const key = requests[0]?.data.orderKey ?? ''
    expect(sendDraft(on.store.model())?.orderKey).toBe(key)
    const facts = [...requested(), ...built()].map(fact =>
      fact.type === 'order.accepted' ? { ...fact, data: { ...fact.data, orderKey: key } } : fact,
    )
    on.facts(...facts)
    expect(on.said.at(-1)).toEqual(shown('WalletSendPreview'))
  })

  test('asks for nothing while part of the page is missing', async () => {
    const on = onStage({ ready: async () => false })
    act(() => holding(on))
    act(() => openForm(on, {}))
    on.show(<SendScreen name="WalletSend" />)
    fireEvent.click(button())
    await settle()
    expect(on.types()).not.toContain('send.request')
    expect(label()).toBe('Review')
  })

  test.each<[happens: string, (on: ReturnType<typeof onStage>) => void]>([
    ['is changed', () => fireEvent.change(screen.getByTestId('send-amount'), { target: { value: '2' } })],
    ['is left', cleanup],
    ['is another account’s', on => on.facts(accountChanged)],
  ])('asks for nothing that %s before the page is whole, and keeps what is typed', async (_happens, happen) => {
    let whole: (isWhole: boolean) => void = () => undefined
    const on = onStage({ ready: () => new Promise<boolean>(resolve => (whole = resolve)) })
    act(() => holding(on))
    act(() => openForm(on, {}))
    on.show(<SendScreen name="WalletSend" />)
    fireEvent.click(button())
    happen(on)
    const before = on.store.model().screen.send
    whole(true)
    await settle()
    expect(on.types()).not.toContain('send.request')
    expect(on.store.model().screen.send).toEqual(before)
  })

  test.each([
    ['RECIPIENT_TOKEN_ACCOUNT', 'This is the address of a token account.'],
    ['TOKEN_FEE', 'takes a fee of each transfer'],
    ['EARLIER', 'An earlier transfer may still arrive.'],
    ['AMOUNT', 'An amount and receiver address are required.'],
    ['ZERO', 'Amount must be greater than 0.'],
  ])('says the rule %s in words', async (rule, words) => {
    await form({ orderKey }, ...requested(), refused({ code: 'bad_input', facts: { rule } }))
    expect(screen.getByTestId('send-refused').textContent).toContain(words)
    expect(screen.queryByTestId('send-anyway')).toBeNull()
  })

  test.each<[Parameters<typeof refused>[0], string]>([
    [{ code: 'account_not_found' }, 'This wallet holds no SOL'],
    [{ code: 'insufficient_sol', facts: { short: '5000' } }, '0.000005 SOL short'],
    [{ code: 'rent', facts: { whose: 'recipient', minimum: '890880' } }, 'needs at least 0.00089088 SOL'],
    [{ code: 'rent', facts: { whose: 'buyer', minimum: '890880' } }, 'Leave 0 or at least 0.00089088 SOL'],
    [{ code: 'insufficient_token' }, 'Insufficient token balance.'],
    [{ code: 'no_token_account' }, 'Sender does not have a token account for this mint.'],
    [{ code: 'timeout' }, 'The network is not answering.'],
  ])('says the failure %o in words', async (failure, words) => {
    await form({ orderKey }, ...requested(), refused(failure))
    expect(screen.getByTestId('send-refused').textContent).toContain(words)
  })

  test('says why a token’s transaction failed', async () => {
    const failure = refused({ code: 'simulation_failed', facts: { name: 'Custom', custom: 6001 } })
    await form({ orderKey, asset: usdc, amount: '1' }, ...requested({ mint: usdc }, usdc, '1000000'), failure)
    expect(screen.getByTestId('send-refused').textContent).toContain(
      'Failed to create SPL token transaction: Custom 6001',
    )
  })

  test('asks again for an odd recipient with what the person confirmed', async () => {
    const odd = refused({ code: 'bad_input', facts: { rule: 'RECIPIENT_OFF_CURVE' } })
    const on = await form({ orderKey }, ...requested({ confirmed: ['lookAlike'] }), odd)
    fireEvent.click(screen.getByTestId('send-anyway'))
    await settle()
    expect(commandsOf(on, 'send.request')).toMatchObject([{ data: { confirmed: ['lookAlike', 'offCurve'] } }])
  })

  test.each(['EARLIER_UNANSWERED', 'EARLIER_DECLINED'])('asks again despite an earlier one, %s', async rule => {
    const on = await form({ orderKey }, ...requested(), refused({ code: 'busy', facts: { rule } }))
    fireEvent.click(screen.getByTestId('send-anyway'))
    await settle()
    expect(commandsOf(on, 'send.request')).toMatchObject([{ data: { confirmed: [], despiteEarlier: true } }])
  })

  test('forgets a refusal once the transfer is changed', async () => {
    await form({ orderKey }, ...requested(), refused({ code: 'timeout' }))
    fireEvent.change(screen.getByTestId('send-amount'), { target: { value: '3' } })
    expect(screen.queryByTestId('send-refused')).toBeNull()
  })

  test('waits for a transfer that is on its way and leads to it', async () => {
    const on = await form({ orderKey: '11ff00ff00ff00ff' }, ...requested(), ...built(), asked)
    expect(button().getAttribute('aria-disabled')).toBe('true')
    fireEvent.click(screen.getByTestId('send-show'))
    expect(on.said.at(-1)).toEqual(shown('WalletSendConfirmed'))
  })

  test('says that the page is offline, and that tokens could not be read', async () => {
    await form(
      {},
      { type: 'network.offline', data: {} },
      {
        type: 'balance.failed',
        data: { account, failure: { code: 'unreachable', message: 'm' } },
      },
    )
    expect(screen.getByTestId('modal').textContent).toContain('You are offline.')
    expect(screen.getByTestId('modal').textContent).toContain('Your tokens could not be read.')
  })
})

describe('the draft of a transfer', () => {
  const draftAfter = (...facts: CoreSideFact[]) => {
    const on = onStage()
    act(() => holding(on))
    on.page(drafted({ orderKey }))
    on.facts(...requested(), ...built(), asked, ...facts)
    return sendDraft(on.store.model())
  }

  test('is done with once the chain took the transfer, and not before', () => {
    expect(draftAfter(...sent, ...landed)).toBeUndefined()
    expect(draftAfter(...sent, ...landed, final)).toBeUndefined()
    for (const facts of [[], sent, [rejected], [unanswered], [...sent, failedOnChain]])
      expect(draftAfter(...facts)).toMatchObject({ amount: '1.5' })
  })

  test('ends with its connection, and stays when the modal closes', () => {
    const on = onStage()
    act(() => holding(on))
    on.page(drafted(), { type: 'screen.opened', data: { screen: { name: 'Account' } } })
    on.page({ type: 'screen.closed', data: {} })
    expect(sendDraft(on.store.model())).toBeDefined()
    on.facts({ type: 'connection.ended', data: { connectionId: 'c1', by: 'person' } })
    expect(sendDraft(on.store.model())).toBeUndefined()
    on.clock.now += 1
    act(() => holding(on))
    expect(sendDraft(on.store.model())).toBeUndefined()
  })
})

describe('the choice of a token', () => {
  async function tokens(draft: Draft = {}) {
    const on = await form(draft)
    on.page(shown('WalletSendSelectToken'))
    await settle()
    return on
  }
  const rows = () => screen.getAllByTestId('send-token-row')

  test('lists SOL and what the account holds, with the mint of each, and leaves frozen ones alone', async () => {
    const on = await tokens()
    expect(rows().map(row => row.dataset.asset)).toEqual(['SOL', usdc, bonk])
    expect(rows()[1]?.textContent).toContain('USD Coin375 USDC · Mint EPjF…Dt1v$375.00')
    const before = on.said.length
    fireEvent.click(rows()[2] as HTMLElement)
    expect(on.said).toHaveLength(before)
  })

  test('leaves out a token of which nothing is left', async () => {
    const on = await tokens()
    const gone = { mint: usdc, program: 'p', decimals: 6, account: 'at1', amount: '0' }
    on.facts({ type: 'balance.read', data: { account, slot: 6, amounts: { SOL: '1' }, tokens: [gone] } })
    expect(rows().map(row => row.dataset.asset)).toEqual(['SOL'])
  })

  test('chooses one, clears the amount and goes back', async () => {
    const on = await tokens()
    fireEvent.click(rows()[1] as HTMLElement)
    expect(sendDraft(on.store.model())).toMatchObject({ asset: usdc, amount: '', recipient })
    expect(on.said.at(-1)?.type).toBe('screen.back')
  })

  test('searches by name and mint, and says when nothing fits', async () => {
    await tokens()
    const search = screen.getByTestId('send-search')
    fireEvent.change(search, { target: { value: 'usd c' } })
    expect(rows().map(row => row.dataset.asset)).toEqual([usdc])
    fireEvent.change(search, { target: { value: bonk.slice(0, 6) } })
    expect(rows().map(row => row.dataset.asset)).toEqual([bonk])
    fireEvent.change(search, { target: { value: 'zzz' } })
    expect(screen.getByTestId('modal').textContent).toContain('No tokens found')
  })
})

describe('the choice among more tokens than a reading lists', () => {
  const seldom = 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB5YaB1pPB263'

  test('says that not all are listed, and has the one read whose whole mint is typed', async () => {
    const on = await form()
    on.page(shown('WalletSendSelectToken'))
    await settle()
    expect(screen.queryByTestId('send-not-all')).toBeNull()
    const { amounts, tokens: [one] = [] } = on.store.model().balance[account] ?? { amounts: {} }
    if (!one) throw new Error('the stage expected a token of the account')
    const many = Array.from({ length: mostTokens }, (_, at) => ({
      ...one,
      mint: `${one.mint.slice(0, -3)}${100 + at}`,
    }))
    const reading = (tokens: typeof many) => ({
      type: 'balance.read' as const,
      data: { account, slot: 9000, amounts, tokens },
    })
    on.facts(reading(many))
    expect(screen.getByTestId('send-not-all').textContent).toContain('Only 200 tokens are listed.')
    fireEvent.change(screen.getByTestId('send-search'), { target: { value: ` ${seldom} ` } })
    expect(on.commands.at(-1)).toEqual({ type: 'send.open', data: { mint: seldom } })
    on.facts(reading([{ ...one, mint: seldom }, ...many.slice(1)]))
    fireEvent.click(screen.getByTestId('send-token-row'))
    await settle()
    expect(sendDraft(on.store.model())).toMatchObject({ asset: seldom })
    // The form's own reading keeps it
    expect(on.commands.at(-1)).toEqual({ type: 'send.open', data: { mint: seldom } })
  })
})

describe('the review of a transfer', () => {
  async function review(...facts: CoreSideFact[]) {
    const on = await form({ orderKey }, ...requested(), ...built(), ...facts)
    on.page(shown('WalletSendPreview'))
    await settle()
    return on
  }

  test('names the network only while it is known', async () => {
    const on = await review()
    const named = () =>
      [...screen.getByTestId('send-preview').querySelectorAll('dt')].map(one => one.nextSibling?.textContent)
    expect(named()).toContain('Solana')
    on.facts({ type: 'network.mismatched', data: { expected: genesis, got: account } })
    expect(named()).not.toContain('Solana')
  })

  test('shows amount, whole address, fee and rest, and asks the wallet by a press alone', async () => {
    const on = await review()
    expect(screen.getByTestId('send-figure').textContent).toBe('1.5 SOL')
    expect(screen.getByTestId('send-to').textContent).toBe(recipient)
    const fee = screen.getByTestId('send-fee')
    expect(fee.textContent).toBe('0.000007 SOL')
    // A signed transaction passes with a higher one, see `mostPriority`
    expect(fee.previousSibling?.textContent).toBe('Network fee, about')
    expect(screen.getByTestId('send-stays').textContent).toBe('10.981227567 SOL')
    expect(on.types()).not.toContain('order.continue')
    fireEvent.click(screen.getByTestId('send-press'))
    expect(commandsOf(on, 'order.continue')).toHaveLength(1)
    expect(on.said.at(-1)).toEqual(shown('WalletSendConfirmed'))
    await settle()
    expect(on.types()).not.toContain('order.abandon')
  })

  test('gives the transfer up when the person leaves', async () => {
    const on = await review()
    fireEvent.click(screen.getByTestId('send-cancel'))
    await settle()
    expect(commandsOf(on, 'order.abandon')).toHaveLength(1)
    expect(sendDraft(on.store.model())).toMatchObject({ amount: '1.5', recipient })
  })

  test('gives it up when the modal closes', async () => {
    const on = await review()
    on.page({ type: 'screen.closed', data: {} })
    await settle()
    expect(commandsOf(on, 'order.abandon')).toHaveLength(1)
  })

  test('tells of a new token account, its rent, and an address that was never used', async () => {
    const on = await form({ orderKey }, ...requested(), ...built('2039280'))
    on.page(shown('WalletSendPreview'))
    await settle()
    expect(screen.getByTestId('send-rent').textContent).toBe('0.00203928 SOL')
    expect(screen.getByTestId('send-warning').textContent).toContain('This address was never used.')
  })

  test('says that another transfer took its place', async () => {
    await review({
      type: 'order.abandoned',
      data: { orderId: 'o1', failure: { code: 'user_rejected', message: 'm' } },
    })
    expect(screen.getByTestId('modal').textContent).toContain('This transfer is no longer waiting.')
  })
})

describe('a transfer that another tab requested', () => {
  test('never takes the place of the one under review: its press would ask the wallet for it', async () => {
    const on = await form({ orderKey: '11ff00ff00ff00ff' })
    on.page(shown('WalletSendPreview'))
    on.facts(...requested(), ...built())
    await settle()
    expect(screen.queryByTestId('send-press')).toBeNull()
    expect(screen.getByTestId('modal').textContent).toContain('This transfer is no longer waiting.')
  })

  test('is not approved on the last screen of an earlier one, and shows there once its wallet was asked', async () => {
    const on = await form()
    on.page(shown('WalletSendConfirmed'))
    on.facts(...requested(), ...built())
    await settle()
    expect(screen.queryByTestId('send-continue')).toBeNull()
    on.facts(asked)
    await settle()
    expect(screen.getByTestId('send-status').dataset.phase).toBe('awaitingSignature')
  })
})

describe('how a transfer stands', () => {
  async function stands(...facts: CoreSideFact[]) {
    const on = await form({ orderKey }, ...requested(), ...built(), ...facts)
    on.page(shown('WalletSendConfirmed'))
    await settle()
    return on
  }
  const text = () => screen.getByTestId('send-status').textContent

  test.each<[words: string, next: string, facts: CoreSideFact[]]>([
    ['Approve in Phantom', 'send-continue', []],
    ['Approve in Phantom', 'send-give-up', [asked]],
    ['Sending', 'send-close', [asked, ...sent]],
    ['Confirmed', 'send-done', [asked, ...sent, ...landed]],
    ['Sent and final', 'send-done', [asked, ...sent, ...landed, final]],
    ['You declined', 'send-again', [asked, rejected]],
    ['Not known yet', 'send-close', [asked, unanswered]],
    ['The network refused it', 'send-again', [asked, ...sent, failedOnChain]],
  ])('%s, and the next step is %s', async (words, next, facts) => {
    await stands(...facts)
    expect(text()).toContain(words)
    expect(screen.getByTestId(next)).toBeDefined()
  })

  test('whose wallet sends by itself is never told as certainly gone by its proof', async () => {
    const alone = { type: 'order.asked', data: { orderId: 'o1', askId: 'e1', means: 'signAndSend' } } as const
    const expired = { type: 'order.expired', data: { orderId: 'o1', height: 151, providers: 2 } } as const
    for (const proved of [[], [expired]]) {
      await stands(alone, rejected, ...proved)
      expect(text()).toContain('Phantom says that nothing was sent.')
      cleanup()
    }
    await stands(alone, unanswered, expired)
    expect(text()).toContain('Phantom has not answered. If you approved it, the transfer will show up here.')
    expect(text()).not.toContain('can no longer arrive')
  })

  test('is told as sent also when another tab puts it away', async () => {
    const on = await stands(asked, ...sent, ...landed, final)
    on.facts({ type: 'order.dismissed', data: { orderId: 'o1' } })
    await settle()
    expect(screen.getByTestId('send-status').dataset.phase).toBe('finalised')
  })

  test('is never told as not sent by a page that cannot know', async () => {
    const on = await form(undefined, ...requested(), ...built(), asked, ...sent, ...landed, final)
    on.page(shown('WalletSendConfirmed'))
    on.facts({ type: 'order.dismissed', data: { orderId: 'o1' } })
    await settle()
    const words = screen.getByTestId('modal').textContent
    expect(words).not.toContain('Nothing was sent')
    expect(words).toContain('Your activity shows what was sent.')
  })

  test('tells once that the transaction started', async () => {
    const on = await stands(asked)
    on.facts(...sent)
    on.facts(...landed)
    const toasts = on.said.filter(fact => fact.type === 'toast.shown')
    expect(toasts).toMatchObject([{ data: { variant: 'success', message: 'Transaction started' } }])
  })

  test('leads to the chain’s explorer once there is a signature', async () => {
    const on = await stands(asked)
    expect(screen.queryByRole('link', { name: /View on explorer/ })).toBeNull()
    on.facts(...sent)
    expect(screen.getByRole('link', { name: /View on explorer/ }).getAttribute('href')).toContain('/tx/5VER')
  })

  test('is put away by Try again, which leads to the form as it was', async () => {
    const on = await stands(asked, rejected)
    fireEvent.click(screen.getByTestId('send-again'))
    expect(commandsOf(on, 'order.dismiss')).toHaveLength(1)
    await settle()
    expect(screen.getByTestId<HTMLInputElement>('send-amount').value).toBe('1.5')
  })

  test('has the account behind it', async () => {
    const on = await stands(asked, ...sent)
    fireEvent.click(screen.getByRole('button', { name: 'Back' }))
    expect(on.store.model().screen.history).toEqual([{ name: 'Account' }])
  })
})
