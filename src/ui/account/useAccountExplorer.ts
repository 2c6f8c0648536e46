import { explorerUrl, networkOfGenesis } from '../../events/values/networks.ts'
import { useModel, useSurroundings } from '../react.tsx'

type Subject = Parameters<typeof explorerUrl>[1]

/** @returns the address of the explorer's page about an account or a transaction; undefined before the network is known */
export function useAccountExplorer(): (subject: Subject) => string | undefined {
  const { config } = useSurroundings()
  const genesis = useModel(({ network }) => (network.phase === 'identified' ? network.genesisHash : undefined))
  return subject =>
    genesis === undefined ? undefined : explorerUrl(networkOfGenesis(genesis), subject, config.solanaRpcUrl)
}
