import { explorerUrl, networkOfGenesis, networks } from '../../../events/values/networks.ts'
import { useModel, useSurroundings } from '../../react.tsx'

/** @returns the function that gives the place where an address or a transaction of this sale can be looked at */
export function useExplorer(): (what: { address: string } | { tx: string }) => string {
  const { config } = useSurroundings()
  const genesis = useModel(({ sale }) =>
    sale.terms.phase === 'read' ? sale.terms.terms.cluster.genesisHash : undefined,
  )
  const network = genesis === undefined ? networks[0] : networkOfGenesis(genesis)
  return what => (network ? explorerUrl(network, what, config.solanaRpcUrl) : '')
}
