import { useEffect, useMemo, useReducer } from 'react'
import { useModel, useSurroundings } from '../../react.tsx'
import { chainTimeAt } from '../../../events/sale/saleNow.ts'
import { type BuyBlock, buyBlockOf, type KnownSale, knownSale, nextChange, oldAfterMs } from './saleStatus.ts'
import { steadyNow } from './steadyNow.ts'
import { useSaleWords } from '../saleWords.ts'

/** Re-renders the caller every `ms` while `on`. */
export function useTick(ms: number, on = true): void {
  const [, tick] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    if (!on) return
    const timer = setInterval(tick, ms)
    return () => clearInterval(timer)
  }, [ms, on])
}

/** The sale to show; re-renders when the model or the time changes it. */
export function useSale(): { known: KnownSale | undefined; buyBlock: BuyBlock | undefined } {
  const around = useSurroundings()
  const { now, config } = around
  const words = useSaleWords()
  const sale = useModel(model => model.sale)
  const purchase = useModel(model => model.purchase)
  const network = useModel(model => model.network)
  const tab = useModel(model => model.tab)
  const core = useModel(model => model.core)
  const ledger = useModel(model => model.ledger)
  const [woken, wake] = useReducer((count: number) => count + 1, 0)

  useEffect(() => {
    const time = chainTimeAt(sale, steadyNow(sale, around))
    const change = time !== undefined && sale.terms.phase === 'read' ? nextChange(sale.terms.terms, time) : undefined
    const waits: number[] = []
    if (change !== undefined && time !== undefined) waits.push(change - time)
    if (sale.stale && sale.reading) waits.push(sale.reading.readAt + oldAfterMs - now())
    const ahead = waits.filter(wait => wait > 0)
    if (ahead.length === 0) return
    // a timer is limited to 24 days; an early wake-up recomputes and sleeps again
    const timer = setTimeout(wake, Math.min(...ahead, 3_600_000) + 1)
    return () => clearTimeout(timer)
  }, [sale, around, now, woken])

  return useMemo(() => {
    return {
      known: knownSale({ sale, purchase }, steadyNow(sale, around), config.sale),
      buyBlock: buyBlockOf(words, { sale, network, tab, core, ...(ledger && { ledger }) }, now(), config.sale),
    }
    // oxlint-disable-next-line react/exhaustive-deps -- `woken` stands for the time that has passed
  }, [words, sale, purchase, network, tab, core, ledger, around, now, config, woken])
}
