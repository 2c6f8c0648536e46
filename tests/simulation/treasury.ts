/**
 * Checks the receiver of money: a treasury of terms this device has pinned. A changed treasury is pinned by a person's
 * confirmation.
 */
import { builtOf, type Order } from '../../src/events/subjects/order/order.ts'
import type { Terms } from '../../src/events/sale/terms/termsShape.ts'
import type { Stepped } from './watch.ts'

type Pinned = { terms: Terms; termsHash: string }

/** @returns a check of each step, over successive lives of a core */
export function createTreasuryWatch() {
  const announced = new Set<string>()
  /** treasuries pinned at any time: an order may still be open */
  const trusted = new Set<string>()
  /** terms a person confirmed before their notice was read */
  const accepted = new Set<string>()
  let pins = new Map<string, Terms>()

  function pinnedWrong({ terms, termsHash }: Pinned, { input }: Stepped): string | undefined {
    const before = pins.get(terms.id)
    pins.set(terms.id, terms)
    trusted.add(terms.treasury)
    if (!announced.has(termsHash)) return 'terms are pinned that nobody announced'
    if (before && before.authority !== terms.authority) return 'terms of another authority are pinned'
    if (!before || before.treasury === terms.treasury) return undefined
    const isConfirmed = isPressFor(input, termsHash) || accepted.has(termsHash)
    return isConfirmed ? undefined : 'another treasury is pinned that no person confirmed'
  }

  return function looks(step: Stepped): string | undefined {
    const { input, facts, effects, model } = step
    if (input.type === 'core.boot') {
      pins = new Map(Object.entries(model.sale.pins).map(([id, { terms }]) => [id, terms]))
      for (const { treasury } of pins.values()) trusted.add(treasury)
      if (model.sale.notices) announced.add(model.sale.notices.termsHash)
    }
    if (input.type === 'chain.notices') announced.add(String(input.data.termsHash))
    for (const { type, data } of facts) {
      if (type === 'sale.changeAccepted') {
        if (!isPressFor(input, String(data.termsHash))) return 'a change is accepted that no person confirmed'
        accepted.add(String(data.termsHash))
      }
      const wrong = type === 'sale.pinned' ? pinnedWrong(data as Pinned, step) : undefined
      if (wrong !== undefined) return wrong
      if (type === 'order.asked' && !isTrusted(model.order[String(data.orderId)]))
        return 'a wallet is asked to pay a treasury that was never pinned'
    }
    for (const { type, data } of effects) {
      if (type === 'chain.prepareOrder' && isOfTerms(data, step) && !trusted.has((data.terms as Terms).treasury))
        return 'a payment is built for a treasury that was never pinned'
      if (type === 'chain.submit' && !isTrusted(model.order[String(data.orderId)]))
        return 'a payment is sent to a treasury that was never pinned'
    }
    return undefined
  }

  function isTrusted(order: Order | undefined): boolean {
    const transfer = order && builtOf(order)?.transfer
    if (!transfer) return false
    // A transfer pays whom its person named
    if (order.send) return (transfer.kind === 'transfer' ? transfer.to : transfer.destination).endsWith(order.send.to)
    return trusted.has(transfer.kind === 'transfer' ? transfer.to : transfer.destination.replace('usdc of ', ''))
  }
}

/** A payment built by other terms than its order's is refused as soon as it is built; no wallet hears of it. */
function isOfTerms({ order }: Stepped['effects'][number]['data'], { model }: Stepped): boolean {
  const { terms } = model.sale
  return terms.phase === 'read' && (order as { termsHash: string }).termsHash === terms.termsHash
}

function isPressFor({ type, data }: Stepped['input'], termsHash: string): boolean {
  return type === 'sale.confirmChange' && data.termsHash === termsHash
}
