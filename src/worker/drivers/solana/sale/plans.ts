/**
 * Plans of payouts, from their files beside the terms.
 *
 * 1. A file counts when its sha256 is in a notice of the authority, and its sale is this one; any other is as good as none.
 * 2. A claim is in one plan: a later plan that pays it again is void, as the operator's tool refuses to pay it.
 */
import type { EffectData } from '../../../../events/effect.ts'
import { Fault } from '../../../../runtime/failure.ts'
import { hashText } from '../../../services/notices.ts'
import { type Plan, planFileName, type PlanKind, readPlan } from '../../../services/planFile.ts'
import type { InputOf } from '../../drive.ts'
import type { Http } from '../../http.ts'

type Sale = EffectData['chain.readPurchases']
type Planned = NonNullable<InputOf<'chain.purchases'>['planned']>[number]
/** Payments of one plan to one account. */
type Own = { kind: PlanKind; claims: readonly string[]; payments: Planned[] }

/** Enough for some 60,000 payments. */
const maxPlanBytes = 16_000_000
/** Most accounts and plans whose payments are remembered; a plan never changes. */
const mostKnown = 200

/** Makes the reader of what announced plans pay to an account. Files that cannot be fetched now are left to the next reading. */
export function createPlanReader({
  http,
  termsUrl,
}: {
  http: Http
  termsUrl: string
}): (sale: Sale) => Promise<Planned[]> {
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
    return plans.flatMap(own => {
      if (!own) return []
      const names = own.claims.map(claim => `${own.kind} ${claim}`)
      if (names.some(name => claimed.has(name))) return []
      for (const name of names) claimed.add(name)
      return own.payments
    })
  }
}

function ownOf({ kind, tranche, batches }: Plan, plan: string, account: string): Own {
  const claims: string[] = []
  const payments = batches.flatMap(({ asset, rows }, batch): Planned[] => {
    const own = rows.filter(({ owner }) => owner === account)
    if (own.length === 0) return []
    claims.push(...own.flatMap(row => row.of))
    const units = own.reduce((sum, row) => sum + BigInt(row.units), 0n).toString()
    const amount = kind === 'tokens' ? { tokens: units } : { asset, units }
    return [{ plan, batch, ...(tranche !== null && { tranche }), ...amount }]
  })
  return { kind, claims, payments }
}
