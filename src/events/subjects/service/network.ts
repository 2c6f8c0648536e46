/** The chain that the RPC serves, by its genesis hash, whether this device is online, and the networks to choose from. */
import { failure } from '../../schema/fields.ts'
import {
  define,
  flag,
  list,
  openField,
  optional,
  shape,
  situations,
  type StateOf,
  text,
  type UnionOf,
  v1,
} from '../../../runtime/schema/registry.ts'

export const networkFacts = define({
  'network.identified': v1({ genesisHash: openField(text), caip2: openField(text) }),
  'network.unreachable': v1({ failure }),
  /** The RPC serves another chain than this log belongs to. */
  'network.mismatched': v1({ expected: openField(text), got: openField(text) }),
  'network.offline': v1({}),
  'network.online': v1({}),
  /** The networks (CAIP-2) that this core can switch to: `active` is that of this log, `home` the page's own. */
  'network.offered': v1({ home: openField(text), active: openField(text), networks: list(openField(text)) }),
  /** The person chose another network, which has a log of its own: this log rests from here on. */
  'network.switched': v1({ caip2: openField(text) }),
  /** The switch to this network did not happen. */
  'network.refused': v1({ caip2: openField(text), failure }),
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
    {
      online: openField(flag),
      offer: optional(shape(networkFacts['network.offered'].fields)),
      /** the latest switch of this life: under way, or refused with a failure */
      change: optional(shape({ caip2: openField(text), failure: optional(failure) })),
    },
  )
}
export type NetworkView = StateOf<typeof networkState>

/** @returns whether the core is on another network than the page's own, where its sale is */
export function isAway({ network: { offer } }: { network: NetworkView }): boolean {
  return offer !== undefined && offer.active !== offer.home
}

export function foldNetwork(model: { network: NetworkView }, fact: NetworkFact): void {
  const { online, offer, change } = model.network
  const rest = { online, ...(offer && { offer }), ...(change && { change }) }
  switch (fact.type) {
    case 'network.identified':
      if (model.network.phase === 'identified' && model.network.genesisHash === fact.data.genesisHash) return
      model.network = { ...rest, phase: 'identified', ...fact.data }
      return
    case 'network.unreachable':
      if (model.network.phase !== 'identified')
        model.network = { ...rest, phase: 'unreachable', failure: fact.data.failure }
      return
    case 'network.mismatched':
      if (model.network.phase === 'mismatched' && model.network.got === fact.data.got) return
      model.network = { ...rest, phase: 'mismatched', ...fact.data }
      return
    case 'network.offline':
      if (online) model.network.online = false
      return
    case 'network.online':
      if (!online) model.network.online = true
      return
    case 'network.offered':
      model.network.offer = fact.data
      delete model.network.change
      return
    case 'network.switched':
    case 'network.refused':
      model.network.change = fact.data
  }
}
