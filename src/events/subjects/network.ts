/** The chain that the RPC serves, by its genesis hash, and whether this device is online. */
import { failure } from '../schema/fields.ts'
import {
  define,
  flag,
  openField,
  situations,
  type StateOf,
  text,
  type UnionOf,
  v1,
} from '../../runtime/schema/registry.ts'

export const networkFacts = define({
  'network.identified': v1({ genesisHash: openField(text), caip2: openField(text) }),
  'network.unreachable': v1({ failure }),
  /** The RPC serves another chain than this log belongs to. */
  'network.mismatched': v1({ expected: openField(text), got: openField(text) }),
  'network.offline': v1({}),
  'network.online': v1({}),
})
export type NetworkFact = UnionOf<typeof networkFacts>

export function networkState() {
  return situations(
    {
      unknown: {},
      identified: networkFacts['network.identified'].fields,
      unreachable: { failure },
      mismatched: networkFacts['network.mismatched'].fields,
    },
    { online: openField(flag) },
  )
}
export type NetworkView = StateOf<typeof networkState>

export function foldNetwork(model: { network: NetworkView }, fact: NetworkFact): void {
  const { online } = model.network
  switch (fact.type) {
    case 'network.identified':
      if (model.network.phase === 'identified' && model.network.genesisHash === fact.data.genesisHash) return
      model.network = { online, phase: 'identified', ...fact.data }
      return
    case 'network.unreachable':
      if (model.network.phase !== 'identified')
        model.network = { online, phase: 'unreachable', failure: fact.data.failure }
      return
    case 'network.mismatched':
      if (model.network.phase === 'mismatched' && model.network.got === fact.data.got) return
      model.network = { online, phase: 'mismatched', ...fact.data }
      return
    case 'network.offline':
      if (online) model.network.online = false
      return
    case 'network.online':
      if (!online) model.network.online = true
  }
}
