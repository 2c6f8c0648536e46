/** How this product's effects are handed to drivers. In memory an effect that may move money fails. */
import { type EffectType, pageEffectTypes } from '../../events/effect.ts'
import type { DispatchRules } from '../../runtime/host/dispatcher.ts'

export const dispatchRules: DispatchRules = {
  onPage: pageEffectTypes,
  unhurried: new Set<EffectType>(['relay.acknowledge', 'vault.forget', 'bytes.forget']),
  // A new connection is shown first; its balances and purchases are read a moment later
  inTheBackground: new Set<EffectType>(['chain.readBalances', 'chain.readPurchases']),
  takesAlong: new Set<EffectType>(['chain.readSale']),
  // Committed first: after a death the press that opens a wallet's window is given again, and found in the log. It moves no money
  waitsForCommit: ({ type, data }) => type === 'wallet.connect' && data.silent === false,
  unkept: {
    code: 'storage_down',
    message: 'this browser keeps no record, so the wallet was not asked for what may move money',
    facts: { storage: 'memory' },
  },
}
