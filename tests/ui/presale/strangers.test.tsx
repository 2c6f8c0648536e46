// @vitest-environment happy-dom
/**
 * Texts of nodes and wallets that a driver let into the model: the page that takes money shows none of them unchanged.
 */
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import type { AppFact } from '../../../src/events/app.ts'
import { failureCodes } from '../../../src/events/failureCodes.ts'
import type { Order } from '../../../src/events/subjects/order/order.ts'
import { writtenOut } from '../../../src/events/values/text/cleanText.ts'
import { distrustWords, legalWords, orderWords, termsWords } from '../../../src/ui/presale/buy/order/failureWords.ts'
import { SaleBody } from '../../../src/ui/presale/SaleBody.tsx'
import { TopBar } from '../../../src/ui/presale/TopBar.tsx'
import { StoreProvider } from '../../../src/ui/react.tsx'
import { checkSigned } from '../../../src/worker/chains/solana/check.ts'
import { leftIn } from '../../hostile/texts.ts'
import { hostileStrings, someHostile } from '../../journeys/hostileStrings.ts'
import { traces, unseen } from '../traces.ts'
import { connected, fact, orderEnd, orderUntil, saleAt, surroundings, terms } from './story.ts'
import { saleWordsIn } from '../../../src/ui/presale/saleWords.ts'

afterEach(cleanup)

function open(...facts: AppFact[]) {
  const around = surroundings([...saleAt(), ...connected(), ...facts])
  render(
    <StoreProvider value={around.value}>
      <TopBar />
      <SaleBody />
    </StoreProvider>,
  )
  return around
}
const card = () => screen.getByTestId('order-status')

const hostile = (text: string) => {
  const facts = { short: text, missing: text, rule: text, tokens: text, name: text, [text]: text }
  return { message: text, facts }
}

test('strangers: no failure’s own sentence or facts are among the words for people', () => {
  const known = { orderId: 'o1', asset: 'SOL', units: '1', walletName: 'Phantom', times: {}, account: 'a' }
  const order = { ...known, built: { fee: '5000' } }
  const en = saleWordsIn('en')
  for (const code of failureCodes)
    for (const text of someHostile) {
      const failure = { code, ...hostile(text) }
      const ends = (['gateRefused', 'rejected', 'simulationFailed', 'unknown', 'failedOnChain'] as const).map(phase =>
        orderWords(en, { ...order, phase, failure } as unknown as Order, terms),
      )
      expect(leftIn([termsWords(en, failure), distrustWords(en, failure), legalWords(en, failure), ends])).toEqual([])
    }
})

test('strangers: a node’s error text is nowhere on the page', () => {
  for (const text of hostileStrings.slice(0, 17)) {
    const failure = { code: 'bad_response' as const, ...hostile(text) }
    open(
      fact({ type: 'sale.unreachable', data: { failure, retryAt: 0 } }),
      fact({ type: 'network.unreachable', data: { failure } }),
      ...orderUntil('sending'),
      fact({ type: 'order.failedOnChain', data: { orderId: 'o1', slot: 1, failure } }),
    )
    expect(traces()).toEqual([])
    expect(leftIn(document.body.textContent)).toEqual([])
    cleanup()
    open(...orderUntil('drafted'), orderEnd('order.simulationFailed', 'simulation_failed', failure.facts))
    expect(traces()).toEqual([])
    cleanup()
  }
})

test('strangers: an altered payment’s memo is shown as evidence, with invisible characters written out', async () => {
  const agreed = {
    buyer: 'a',
    memo: 'mai1:x',
    transfer: { kind: 'transfer' as const, from: 'a', to: 't', lamports: '1', references: [] },
    fee: '5000',
  }
  const differences = hostileStrings.flatMap(text => {
    const instructions = [{ kind: 'memo', text } as const, agreed.transfer]
    const check = checkSigned({ feePayer: 'a', blockhash: 'h', instructions, signers: ['a'] }, agreed)
    return check.ok ? [] : check.differences.filter(({ field }) => field === 'memo')
  })
  expect(differences).toHaveLength(hostileStrings.length)
  const failure = { code: 'wallet_changed_tx' as const, message: 'for developers' }
  const around = open(
    ...orderUntil('asked'),
    fact({ type: 'order.gateRefused', data: { orderId: 'o1', failure, differences } }),
  )
  expect(traces()).toEqual([])
  const told = [...card().querySelectorAll('dd')].map(({ textContent }) => textContent)
  expect(told).toEqual(hostileStrings.map(text => `mai1:x → ${writtenOut(text)}`))
  expect(new Set(told).size).toBe(hostileStrings.length)
  await act(async () => void fireEvent.click(within(card()).getByRole('button', { name: 'Copy', hidden: true })))
  expect(around.asked.copied.join().replaceAll('\n', '')).not.toMatch(unseen)
})
