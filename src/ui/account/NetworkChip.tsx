import type { Model } from '../../events/app.ts'
import { networkOfGenesis } from '../../events/values/networks.ts'
import { Glyph } from '../kit/icons/Glyph.tsx'
import { Logo } from '../kit/identity/Logo.tsx'
import { useModel } from '../react.tsx'

/** @returns the name of the network on which this page works; undefined until its genesis hash is known */
export function networkNameOf({ network }: Model): string | undefined {
  return network.phase === 'identified' ? networkOfGenesis(network.genesisHash).name : undefined
}

/** The network, identified by its genesis hash; empty until then. */
export function NetworkChip() {
  const name = useModel(networkNameOf)
  if (name === undefined) return <span />
  return (
    <span className="chip network-chip" data-testid="network">
      <NetworkMark name={name} size="small" />
      {name}
    </span>
  )
}

/** A network's logo. */
export function NetworkMark({ name, size }: { name: string; size?: 'small' }) {
  return (
    <Logo name={name} tint="ink" round {...(size && { size })}>
      <Glyph of="solana" />
    </Logo>
  )
}
