import { networkOfGenesis } from '../../events/values/networks.ts'
import { Glyph } from '../kit/icons/Glyph.tsx'
import { Logo } from '../kit/Logo.tsx'
import { useModel } from '../react.tsx'

/** Which network this is, as its genesis hash says; nothing until that is known. */
export function NetworkChip() {
  const name = useModel(({ network }) =>
    network.phase === 'identified' ? networkOfGenesis(network.genesisHash).name : undefined,
  )
  if (name === undefined) return <span />
  return (
    <span className="chip net" data-testid="network">
      <Logo name={name} tint="ink" round size="small">
        <Glyph of="solana" />
      </Logo>
      {name}
    </span>
  )
}
