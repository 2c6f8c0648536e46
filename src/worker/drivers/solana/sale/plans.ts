/**
 * Plans of payouts, from their files beside the terms.
 *
 * 1. A file counts when the authority announced its sha256, and its sale is this one; any other is as good as none.
 * 2. A claim may be in several plans, as a payment may leave it out: all of them are told, and the page says which one stands.
 * 3. A sale may have hundreds of plans: a reading fetches a few, and each of an account's is fetched once. The oldest come first, so that
 *    no plan is told before an earlier one that has its claims. Files that failed wait until all others were tried.
 */
import type { EffectData } from '../../../../events/effect.ts'
import { Fault } from '../../../../runtime/failure.ts'
import { hashText } from '../../../services/notices.ts'
import { type PaidAccount, paidAccounts } from '../../../services/payouts.ts'
import { type Plan, planFileName, readPlan } from '../../../services/planFile.ts'
import type { InputOf } from '../../drive.ts'
import type { Http } from '../../http.ts'

type Sale = EffectData['chain.readPurchases']
type Planned = NonNullable<InputOf<'chain.purchases'>['planned']>[number]
type Refund = NonNullable<InputOf<'chain.purchases'>['refunds']>[number]
/**
 * Payments of plans to one account, the payments of its own that they refund, and the accounts that get it: a reading tells the first
 * few beside the wallet's usual ones.
 */
type Due = { planned: Planned[]; refunds: Refund[]; accounts: PaidAccount[] }

/** Enough for some 60,000 payments. */
const maxPlanBytes = 16_000_000
/** Most files fetched in one reading. */
const planReads = 8
/** Most accounts whose plans are remembered; a plan never changes. */
const mostRemembered = 8
/** Most accounts of one owner whose payouts are looked for because a plan names them: each costs a call. */
const mostAccounts = 10

/** An account's part of each plan that was tried, by the plan's hash; undefined when its file failed. */
type Tried = Map<string, Due | undefined>

/**
 * Makes the reader of what announced plans pay to an account.
 *
 * @returns what the plans read so far pay; `isMore`: there are files that this reading did not try
 */
export function createPlanReader({
  http,
  termsUrl,
}: {
  http: Http
  termsUrl: string
}): (sale: Sale) => Promise<Due & { isMore: boolean }> {
  const memories = new Map<string, Tried>()

  const triedFor = (account: string): Tried => {
    const tried: Tried = memories.get(account) ?? new Map()
    if (memories.size > mostRemembered) memories.clear()
    memories.set(account, tried)
    return tried
  }

  const readOwn = async (hash: string, { account, presaleRef }: Sale): Promise<Due | undefined> => {
    try {
      const url = new URL(planFileName(hash), termsUrl).href
      const text = await http.text({ url, what: 'a plan of payouts', retries: 1, maxBytes: maxPlanBytes })
      if (hashText(text) !== hash) return undefined
      const plan = readPlan(text, 'a plan of payouts')
      if (plan.presale !== presaleRef) return undefined
      return ownOf(plan, hash, account)
    } catch (cause) {
      if (cause instanceof Fault) return undefined
      throw cause
    }
  }

  return async sale => {
    const { plans = [], account } = sale
    const tried = triedFor(account)
    if (plans.every(hash => tried.has(hash))) for (const hash of plans) if (!tried.get(hash)) tried.delete(hash)
    const untried = plans.filter(hash => !tried.has(hash))
    const now = untried.slice(0, planReads)
    await Promise.all(now.map(async hash => tried.set(hash, await readOwn(hash, sale))))
    const found = plans.flatMap(hash => tried.get(hash) ?? [])
    return {
      planned: found.flatMap(own => own.planned),
      refunds: found.flatMap(own => own.refunds),
      accounts: othersOf(sale, found),
      isMore: untried.length > now.length,
    }
  }
}

/** @returns the first few accounts of these plans beside the wallet's usual ones, each once */
function othersOf({ account, terms }: Sale, plans: readonly Due[]): PaidAccount[] {
  const seen = new Set(paidAccounts(account, terms).map(({ address }) => address))
  const all = plans.flatMap(({ accounts }) => accounts)
  return all.filter(({ address }) => !seen.has(address) && seen.add(address)).slice(0, mostAccounts)
}

function ownOf({ kind, tranche, batches }: Plan, plan: string, account: string): Due {
  const refunds: Refund[] = []
  const accounts: PaidAccount[] = []
  const planned = batches.flatMap(({ asset, rows }, batch): Planned[] => {
    const own = rows.filter(({ owner }) => owner === account)
    return own.map(({ to, units, of }) => {
      const name = { plan, batch }
      if (kind === 'refunds') {
        refunds.push({ ...name, places: placesIn(of, 'refund'), accepted: placesIn(of, 'accepted') })
        accounts.push({ address: to, asset })
      }
      const amount = kind === 'tokens' ? { tokens: units } : { asset, units }
      return { ...name, ...(tranche !== null && { tranche }), ...amount }
    })
  })
  return { planned, refunds, accounts }
}

/** @returns the places of payments in the books, from claims such as `12:refund` */
function placesIn(claims: readonly string[], part: 'refund' | 'accepted'): string[] {
  return claims.flatMap(claim => {
    const [place = '', name] = claim.split(':')
    return /^\d+$/.test(place) && name === part ? place : []
  })
}
