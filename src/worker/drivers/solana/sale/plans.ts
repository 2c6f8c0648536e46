/**
 * Plans of payouts, from their files beside the terms.
 *
 * 1. A file counts when its sha256 is in a notice of the authority, and its sale is this one; any other is as good as none.
 * 2. A claim is in one plan: a later plan that pays it again is void, as the operator's tool refuses to pay it.
 */
import type { EffectData } from '../../../../events/effect.ts'
import { Fault } from '../../../../runtime/failure.ts'
import { hashText } from '../../../services/notices.ts'
import type { PaidAccount } from '../../../services/payouts.ts'
import { type Plan, planFileName, type PlanKind, readPlan } from '../../../services/planFile.ts'
import type { InputOf } from '../../drive.ts'
import type { Http } from '../../http.ts'

type Sale = EffectData['chain.readPurchases']
type Planned = NonNullable<InputOf<'chain.purchases'>['planned']>[number]
type Refund = NonNullable<InputOf<'chain.purchases'>['refunds']>[number]
/** Payments of plans to one account, the payments of its own that they refund, and the accounts that get it, the first few. */
type Due = { planned: Planned[]; refunds: Refund[]; accounts: PaidAccount[] }
/** Those of one plan. */
type Own = Due & { kind: PlanKind; claims: readonly string[] }

/** Enough for some 60,000 payments. */
const maxPlanBytes = 16_000_000
/** Most accounts and plans whose payments are remembered; a plan never changes. */
const mostKnown = 200
/** Most accounts of one owner whose payouts are looked for: each costs a call. */
const mostAccounts = 10

/** Makes the reader of what announced plans pay to an account. Files that cannot be fetched now are left to the next reading. */
export function createPlanReader({ http, termsUrl }: { http: Http; termsUrl: string }): (sale: Sale) => Promise<Due> {
  const known = new Map<string, Own>()

  const readOwn = async (hash: string, { account, presaleRef }: Sale): Promise<Own | undefined> => {
    const name = `${hash} ${account}`
    const found = known.get(name)
    if (found) return found
    try {
      const url = new URL(planFileName(hash), termsUrl).href
      const text = await http.text({ url, what: 'a plan of payouts', retries: 1, maxBytes: maxPlanBytes })
      if (hashText(text) !== hash) return undefined
      const plan = readPlan(text, 'a plan of payouts')
      if (plan.presale !== presaleRef) return undefined
      const own = ownOf(plan, hash, account)
      if (known.size < mostKnown) known.set(name, own)
      return own
    } catch (cause) {
      if (cause instanceof Fault) return undefined
      throw cause
    }
  }

  return async sale => {
    const plans = await Promise.all((sale.plans ?? []).map(hash => readOwn(hash, sale)))
    const claimed = new Set<string>()
    const valid = plans.filter(own => {
      const names = (own?.claims ?? []).map(claim => `${own?.kind} ${claim}`)
      if (names.some(name => claimed.has(name))) return false
      for (const name of names) claimed.add(name)
      return true
    })
    return {
      planned: valid.flatMap(own => own?.planned ?? []),
      refunds: valid.flatMap(own => own?.refunds ?? []),
      accounts: valid.flatMap(own => own?.accounts ?? []).slice(0, mostAccounts),
    }
  }
}

function ownOf({ kind, tranche, batches }: Plan, plan: string, account: string): Own {
  const claims: string[] = []
  const refunds: Refund[] = []
  const accounts: PaidAccount[] = []
  const planned = batches.flatMap(({ asset, rows }, batch): Planned[] => {
    const own = rows.filter(({ owner }) => owner === account)
    if (own.length === 0) return []
    const of = own.flatMap(row => row.of)
    claims.push(...of)
    if (kind === 'refunds') {
      refunds.push({ plan, batch, places: placesIn(of, 'refund'), accepted: placesIn(of, 'accepted') })
      accounts.push(...own.map(({ to }) => ({ address: to, asset })))
    }
    const units = own.reduce((sum, row) => sum + BigInt(row.units), 0n).toString()
    const amount = kind === 'tokens' ? { tokens: units } : { asset, units }
    return [{ plan, batch, ...(tranche !== null && { tranche }), ...amount }]
  })
  return { kind, claims, planned, refunds, accounts }
}

/** @returns the places of payments in the books, from claims such as `12:refund` */
function placesIn(claims: readonly string[], part: 'refund' | 'accepted'): string[] {
  return claims.flatMap(claim => {
    const [place = '', name] = claim.split(':')
    return /^\d+$/.test(place) && name === part ? place : []
  })
}
