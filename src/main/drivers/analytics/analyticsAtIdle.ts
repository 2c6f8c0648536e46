import { atIdle } from '../../../ui/atIdle.ts'
import type { Store } from '../../../ui/store.ts'
import type { FactRecord } from '../../../runtime/log/record.ts'
import type { AnalyticsFact } from '../../../events/subjects/service/analytics.ts'
import type { Analytics, AnalyticsPorts } from './analytics.ts'

/**
 * Loads and starts what watches the modal, once the page is idle, for a host that wants analytics; a page without its file goes
 * without.
 *
 * @param open gives its ports
 * @returns the store to take the core's facts with
 */
export function analyticsAtIdle(
  store: Store,
  open: (() => AnalyticsPorts) | undefined,
): { told: Store; endAnalytics(): void } {
  if (!open) return { told: store, endAnalytics: () => undefined }
  let analytics: Analytics | undefined
  let isEnded = false
  const early: FactRecord[] = []
  const start = async () => {
    const { watchAnalytics } = await import('./analytics.ts')
    if (isEnded) return
    analytics = watchAnalytics(open())
    for (const fact of early.splice(0)) analytics.heard(fact as FactRecord & AnalyticsFact)
  }
  const giveUp = () => {
    isEnded = true
    early.length = 0
  }
  const cancel = atIdle(() => void start().catch(giveUp))
  const take: Store['take'] = (facts, atOnce) => {
    for (const fact of facts) {
      if (!fact.type.startsWith('analytics.')) continue
      if (analytics) analytics.heard(fact as FactRecord & AnalyticsFact)
      else if (!isEnded) early.push(fact)
    }
    store.take(facts, atOnce)
  }
  return {
    told: { ...store, take },
    endAnalytics() {
      giveUp()
      cancel()
      analytics?.stop()
    },
  }
}
