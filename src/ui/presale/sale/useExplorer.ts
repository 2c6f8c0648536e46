import { explorerUrl, networkOfGenesis, networks } from '../../../events/values/networks.ts'
import { useModel, useSurroundings } from '../../react.tsx'

/** @returns the function that gives the explorer's URL of an address or transaction of this sale */
export function useExplorer(): (what: { address: string } | { tx: string }) => string {
  const { config } = useSurroundings()
  const genesis = useModel(({ sale }) =>
    sale.terms.phase === 'read' ? sale.terms.terms.cluster.genesisHash : undefined,
  )
  const network = genesis === undefined ? networks[0] : networkOfGenesis(genesis)
  return what => (network ? explorerUrl(network, what, config.solanaRpcUrl) : '')
}
