import { networkOfGenesis, networks } from '../../../events/values/networks.ts'
import { NetworkMark } from '../../kit/identity/NetworkMark.tsx'
import { lazyScreen } from '../../lazyScreen.tsx'
import { useModel, useSurroundings } from '../../react.tsx'

/** All about networks, in a file of their own. */
export const loadNetworks = async () => (await import('./networkParts.ts')).networkParts

/** The chip of a page with a choice. Without its file the chip still names the network. */
const ChoiceChip = lazyScreen(async () => (await loadNetworks()).ChoiceChip, {
  waiting: <PlainChip />,
  missing: <PlainChip />,
})

/** @returns the name of the network on which this page works, the host's own for its own; undefined until it is known */
export function useNetworkName(): string | undefined {
  const { config } = useSurroundings()
  return useModel(({ network: { offer, ...network } }) => {
    const caip2 = offer?.active ?? (network.phase === 'identified' ? network.caip2 : undefined)
    const named = [...networks, ...(config.networks ?? [])].find(one => one.caip2 === caip2)?.name
    return named ?? (network.phase === 'identified' ? networkOfGenesis(network.genesisHash).name : undefined)
  })
}

/** The network, identified by its genesis hash; a button where there are others. Empty until then. */
export function NetworkChip() {
  const isChoice = useModel(({ network: { offer } }) => offer !== undefined && offer.networks.length > 1)
  return isChoice ? <ChoiceChip /> : <PlainChip />
}

function PlainChip() {
  const name = useNetworkName()
  if (name === undefined) return <span />
  return (
    <span className="chip network-chip" data-testid="network">
      <NetworkMark name={name} size="small" />
      {name}
    </span>
  )
}
