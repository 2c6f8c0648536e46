/** Balances of accounts, as last read. Amounts are whole base units. */
import { own } from '../../../runtime/schema/own.ts'
import { storeReading } from '../../values/accountTable.ts'
import { lags } from '../../sale/slots.ts'
import type { CoreView } from '../service/core.ts'
import { failure } from '../../schema/fields.ts'
import {
  define,
  integer,
  isSo,
  list,
  map,
  measure,
  openField,
  optional,
  personal,
  shape,
  type StateOf,
  text,
  type UnionOf,
  v1,
} from '../../../runtime/schema/registry.ts'
import { baseUnits, chainKey, instant, slot } from '../../schema/scales.ts'

/** Most tokens of one account in a reading: strangers can send it any number. */
export const mostTokens = 200

/**
 * The tokens an account holds, one token account of each mint: its largest. Of more than `mostTokens` those with the largest
 * amounts, and one that was asked for. Read when a person is about to send.
 */
export const heldTokens = /* @__PURE__ */ list(
  shape({
    mint: openField(chainKey),
    program: openField(text),
    decimals: openField(integer),
    account: personal(text),
    amount: measure(baseUnits),
    frozen: optional(openField(isSo)),
  }),
)

export const balanceFacts = define({
  /** By asset symbol; an asset the account has no token account for is absent. */
  'balance.read': v1({
    account: personal(text),
    slot: measure(slot),
    amounts: map(measure(baseUnits)),
    tokens: optional(heldTokens),
  }),
  'balance.failed': v1({ account: personal(text), failure }),
})
export type BalanceFact = UnionOf<typeof balanceFacts>

/**
 * Decisions use only amounts of the core's own `life`. After a failed reading the known amounts stay, with `failure` beside
 * them.
 */
export function balanceState() {
  const { amounts, slot, tokens } = balanceFacts['balance.read'].fields
  return shape({
    amounts,
    tokens,
    slot,
    readAt: openField(instant),
    life: optional(openField(integer)),
    failure: optional(failure),
  })
}
export type Balance = StateOf<typeof balanceState>
export type BalanceView = Record<string, Balance>

/** @returns whether a reading has no asset that is not known yet; one from before the terms were read lacks some */
export function knowsAll(known: Pick<Balance, 'amounts'>, { amounts }: Pick<Balance, 'amounts'>): boolean {
  return Object.keys(amounts).every(symbol => symbol in known.amounts)
}

function isKnown({ tokens: known }: Pick<Balance, 'tokens'>, { tokens }: Pick<Balance, 'tokens'>): boolean {
  return !tokens || JSON.stringify(tokens) === JSON.stringify(known)
}

export function foldBalance(model: { balance: BalanceView; core: CoreView }, fact: BalanceFact & { at: number }): void {
  const { account } = fact.data
  const before = own(model.balance, account)
  if (fact.type === 'balance.read') {
    if (
      before &&
      before.life === model.core.life &&
      lags(before, fact.data.slot) &&
      knowsAll(before, fact.data) &&
      isKnown(before, fact.data)
    ) {
      // A lagging node knows nothing newer, but it answered
      if (before.failure) delete before.failure
      return
    }
    const { amounts, slot, tokens = before?.tokens } = fact.data
    storeReading(model.balance, account, {
      amounts,
      ...(tokens && { tokens }),
      slot,
      readAt: fact.at,
      life: model.core.life,
    })
    return
  }
  if (fact.type !== 'balance.failed') return
  storeReading(model.balance, account, {
    amounts: before?.amounts ?? {},
    ...(before?.tokens && { tokens: before.tokens }),
    slot: before?.slot ?? 0,
    readAt: before?.readAt ?? 0,
    ...(before?.life === undefined ? {} : { life: before.life }),
    failure: fact.data.failure,
  })
}
