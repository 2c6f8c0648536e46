// @vitest-environment happy-dom
/** Refunds of a failed sale on a device that has not computed its books: the plans' files tell them by their amounts. */
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import type { AppFact } from '../../../../src/events/app.ts'
import type { Purchase } from '../../../../src/events/subjects/sale/purchase.ts'
import { SaleBody } from '../../../../src/ui/presale/SaleBody.tsx'
import { StoreProvider } from '../../../../src/ui/react.tsx'
import { accountedBy, buyer, connected, fact, noon, purchases, saleAt, surroundings, terms } from '../story.ts'

afterEach(cleanup)

function open(...facts: AppFact[]): void {
  render(
    <StoreProvider value={surroundings(facts).value}>
      <SaleBody />
    </StoreProvider>,
  )
}

const plan = 'a1'.repeat(32)
const paidAt = Date.UTC(2027, 1, 3, 12, 0)

describe('without the books, a payment to a failed sale', () => {
  const after = { chainTime: (terms.end + 60) * 1000 }
  const failed = [...saleAt({ ...after, result: 'failed' }), ...connected(), purchases]
  const [, , first] = (purchases.data as { purchases: Purchase[] }).purchases
  const alike = fact({
    type: 'purchase.read',
    data: { account: buyer, purchases: [{ ...(first as Purchase), signature: 'sigSame', orderId: 'k3' }] },
  })
  type Row = { asset?: string; units?: string; at: string[]; proof?: string; status?: 'final' | 'confirmed' }

  /** Rows of a plan, each in a batch of its own; those with a proof are paid. */
  function planned(rows: Row[], more?: 'older') {
    const known = rows.map((one, batch) => ({ asset: 'SOL', units: '2500000000', ...one, plan, batch }))
    const paid = known.flatMap(({ proof, ...one }) => (proof === undefined ? [] : { ...one, signature: proof }))
    return fact({
      type: 'purchase.read',
      at: noon + 1,
      data: {
        account: buyer,
        purchases: [],
        ...(more && { more }),
        payouts: paid.map(({ signature: proof, asset, units, status = 'final' }) => {
          return { signature: proof, slot: 9000, paidAt, asset, units, status }
        }),
        batches: paid.map(({ signature: proof, batch }) => ({ signature: proof, plan, batch })),
        planned: known.map(({ batch, asset, units }) => ({ plan, batch, asset, units })),
        refunds: known.map(({ batch, at }) => ({ plan, batch, places: [], accepted: at })),
      },
    })
  }
  const sol = { at: ['12'] }
  const usdc = { at: ['13'], asset: 'USDC', units: '375000000' }
  const rowOf = (of: string) => {
    const found = screen.getAllByTestId('purchase-row').find(one => one.dataset.signature === of)
    const proofs = [...(found?.querySelectorAll('[data-testid="refund-proof"]') ?? [])]
    return [found?.textContent, ...proofs.map(one => one.getAttribute('href')?.replace(/.*\/tx\/([a-z]+).*/, '$1'))]
  }
  const came = [expect.stringContaining('RefundedThe soft cap was missed. 2.5 SOL came back on 3 Feb 2027.'), 'proof']
  const comes = [expect.stringContaining('Refund dueThe soft cap was missed. 2.5 SOL come back by 14 Feb 2027.')]

  test('came back when the plans have one refund for each payment, and that of its amount arrived', () => {
    open(...failed, planned([{ ...sol, proof: 'proof' }, usdc]))
    expect(rowOf('sigSol')).toEqual(came)
    expect(rowOf('sigUsdc')).toEqual([expect.stringContaining('Refund due')])
  })

  test.each<[string, AppFact[]]>([
    ['is not final', [planned([{ ...sol, proof: 'proof', status: 'confirmed' }, usdc])]],
    [
      'is for several payments',
      [
        planned([
          { at: ['12', '14'], proof: 'proof' },
          { ...usdc, at: [] },
        ]),
      ],
    ],
    ['may be for one that is not listed', [planned([{ ...sol, proof: 'proof' }, usdc], 'older')]],
    ['is one more than there are payments', [planned([{ ...sol, proof: 'proof' }, usdc, { at: ['14'] }])]],
    ['is there while another payment has none', [planned([{ ...sol, proof: 'proof' }])]],
    ['is there twice', [planned([{ ...sol, proof: 'proof' }, usdc, { ...sol, proof: 'second' }]), alike]],
    ['is to be found in the books', [...accountedBy([]), planned([{ ...sol, proof: 'proof' }, usdc])]],
  ])('is due while its refund %s', (_, facts) => {
    open(...failed, ...facts)
    expect(rowOf('sigSol')).toEqual(comes)
  })

  test('is not told from another of its amount until both came back, each with its proof', () => {
    open(...failed, planned([{ ...sol, proof: 'proof' }, usdc, { at: ['14'] }]), alike)
    expect([rowOf('sigSol'), rowOf('sigSame')]).toEqual([comes, comes])
    cleanup()
    open(...failed, planned([{ ...sol, proof: 'proof' }, usdc, { at: ['14'], proof: 'second' }]), alike)
    expect([rowOf('sigSol')[1], rowOf('sigSame')[1]].sort()).toEqual(['proof', 'second'])
  })

  test('says nothing of refunds where the sale has not failed', () => {
    open(...saleAt(after), ...connected(), purchases, planned([{ ...sol, proof: 'proof' }, usdc]))
    expect(rowOf('sigSol')).toEqual([expect.not.stringContaining('came back')])
  })
})
