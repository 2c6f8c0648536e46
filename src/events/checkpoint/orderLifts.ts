/** Lifts of an order's row. Bundles without use for the tables drop them. */

/** Older builds put a wallet's changes, addresses among them, into the failure's facts: the lift drops them. */
/*#__NO_SIDE_EFFECTS__*/
export function withoutChanges({ order, ...beside }: Record<string, any>): Record<string, unknown> {
  const { phase, failure } = order
  const isRefused = phase === 'gateRefused' || ['wallet_changed_tx', 'account_changed'].includes(failure?.code)
  if (failure?.facts === undefined || !isRefused) return { order, ...beside }
  return { order: { ...order, failure: { code: failure.code, message: failure.message } }, ...beside }
}

const ended = ['rejected', 'gateRefused', 'abandoned']
const early = ['drafted', 'quoted', 'accepted', 'built', 'simulated', 'pressAwaited']
const landed = ['seen', 'confirmed', 'finalised', 'accounted', 'failedOnChain']

/** An order was one record with many optional fields; parts that a situation does not have are dropped. */
/*#__NO_SIDE_EFFECTS__*/
export function inSituation({ order, lying, silent, finalBy }: Record<string, any>): Record<string, unknown> {
  const { orderId, account, connectionId, walletName, peerName, asset, units, times, phase, ...told } = order
  const isAsked = told.ask !== undefined && !early.includes(phase)
  const isPaid = phase === 'finalised' || phase === 'accounted'
  const parts: Record<string, unknown> = {
    peerName,
    dismissed: told.dismissed,
    quote: told.quoted === undefined ? undefined : { quoted: told.quoted, min: told.min },
    accepted:
      told.orderKey === undefined
        ? undefined
        : {
            termsHash: told.termsHash,
            orderKey: told.orderKey,
            ...(told.referrer !== undefined && { referrer: told.referrer }),
          },
    built: told.built,
    ask: told.ask,
    signed:
      !isAsked || told.signature === undefined
        ? undefined
        : { signature: told.signature, ...(told.signedRef !== undefined && { bytesRef: told.signedRef }) },
    progress: isAsked ? told.progress : undefined,
    lying: isAsked ? lying : undefined,
    silent: isAsked ? silent : undefined,
    alarm: told.mismatched ? { signature: told.signature, differences: told.differences ?? [] } : undefined,
    slot: landed.includes(phase) ? told.slot : undefined,
    finalBy: isPaid ? finalBy : undefined,
    failure: [...ended, 'simulationFailed', 'failedOnChain', 'unknown'].includes(phase) ? told.failure : undefined,
    differences: phase === 'gateRefused' ? told.differences : undefined,
    proof: phase === 'expired' || (isAsked && told.proved) ? { providers: told.providers ?? 1 } : undefined,
  }
  const known = Object.entries(parts).filter(([, part]) => part !== undefined)
  return {
    order: { phase, orderId, account, connectionId, walletName, asset, units, times, ...Object.fromEntries(known) },
  }
}
