import { networkOfGenesis } from '../../events/values/networks.ts'
import { Glyph } from '../kit/icons/Glyph.tsx'
import { Logo } from '../kit/identity/Logo.tsx'
import { useModel } from '../react.tsx'

/** The network, identified by its genesis hash; empty until then. */
export function NetworkChip() {
  const name = useModel(({ network }) =>
    network.phase === 'identified' ? networkOfGenesis(network.genesisHash).name : undefined,
  )
  if (name === undefined) return <span />
  return (
    <span className="chip network-chip" data-testid="network">
      <Logo name={name} tint="ink" round size="small">
        <Glyph of="solana" />
      </Logo>
      {name}
    </span>
  )
}
