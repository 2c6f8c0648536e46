/** Networks to choose from, as the network screens show them. */
import type { Model } from '../../../events/app.ts'
import { idsOf, networks } from '../../../events/values/networks.ts'
import type { UiConfig } from '../../react.tsx'
import { approvedBy, type Parts } from '../../../events/subjects/wallet/approvedNetworks.ts'

export type ShownNetwork = {
  caip2: string
  name: string
  isActive: boolean
  /** the page's own, where its sale is */
  isHome: boolean
  isTest: boolean
  /** the active connection's wallet did not approve it: it cannot be chosen */
  isDisabled: boolean
}

/** @returns the name of a public network, of the host's own or of a local one; `Unknown Network` for any other */
export function networkName({ offer }: Model['network'], caip2: string, config: Pick<UiConfig, 'networks'>): string {
  const named = [...networks, ...(config.networks ?? [])].find(network => network.caip2 === caip2)
  return named?.name ?? (offer?.networks.includes(caip2) ? 'Solana Localnet' : 'Unknown Network')
}

/** @returns the networks to choose from: those that the wallet approved first, in its order, then the configured order */
export function networksToChoose(model: Parts, config: Pick<UiConfig, 'networks'>): ShownNetwork[] {
  const { offer } = model.network
  if (!offer) return []
  const approved = approvedBy(model)
  const rank = (caip2: string) => {
    const at = approved?.findIndex(chain => idsOf(caip2).includes(chain)) ?? -1
    return at < 0 ? Number.POSITIVE_INFINITY : at
  }
  const shown = offer.networks.map(caip2 => ({
    caip2,
    name: networkName(model.network, caip2, config),
    isActive: caip2 === offer.active,
    isHome: caip2 === offer.home,
    isTest: networks.find(network => network.caip2 === caip2)?.test ?? true,
    isDisabled: approved !== undefined && rank(caip2) === Number.POSITIVE_INFINITY,
  }))
  return shown.sort((one, other) => {
    const [a, b] = [rank(one.caip2), rank(other.caip2)]
    return a === b ? 0 : a - b
  })
}
