/** Heights in a log that an order's watch did not believe, because the chain cannot have been that far at their time. */
import type { LogRecord } from '../../runtime/log/record.ts'
import { isReachable } from '../subjects/order/order.ts'

/** A finalised height, and the last one at which its order's bytes are valid. */
export type EarlyHeight = { height: number; end: number }

/** @returns those of the log; after a jump of the clock or in a later life a core may have believed some of them */
export function earlyHeights(records: readonly LogRecord[]): EarlyHeight[] {
  const ends = new Map<string, number>()
  const times = new Map<string, number>()
  return records.flatMap(record => {
    if (record.k === 'c') {
      const { order = {} } = record.transient as { order?: Record<string, { builtAt?: number }> }
      for (const [orderId, { builtAt }] of Object.entries(order)) if (builtAt) times.set(orderId, builtAt)
    } else if (record.k === 'r' && record.type === 'order.restated') {
      const { orderId, built } = (record.data.order ?? {}) as { orderId: string; built?: { validUntilHeight: number } }
      if (built) ends.set(orderId, built.validUntilHeight)
    } else if (record.k === 'f' && record.type === 'order.built') {
      const { orderId, validUntilHeight } = record.data as { orderId: string; validUntilHeight: number }
      ends.set(orderId, validUntilHeight)
      times.set(orderId, record.at)
    } else if (record.k === 'i' && record.type === 'chain.status') {
      const { orderId, height } = record.data as { orderId: string; height: number }
      const [end, builtAt] = [ends.get(orderId), times.get(orderId)]
      if (end !== undefined && builtAt !== undefined && !isReachable(end, builtAt, height, record.at))
        return [{ height, end }]
    }
    return []
  })
}
