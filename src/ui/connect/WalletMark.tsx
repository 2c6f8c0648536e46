import { Logo } from '../kit/identity/Logo.tsx'
import { useWalletPicture, type WhenStill } from '../walletPicture.ts'

interface WalletMarkProps {
  name: string
  /** Set for an installed wallet: its own icon is used. */
  walletKey?: string | undefined
  /** Picture in the wallet directory. */
  imageId?: string | undefined
  size?: 'large'
  whenStill?: WhenStill
}

/** A wallet's logo: its initial, replaced by its picture once loaded. */
export function WalletMark({ name, walletKey, imageId, size, whenStill }: WalletMarkProps) {
  const src = useWalletPicture(walletKey, imageId, whenStill)
  return <Logo name={name} src={src} {...(size ? { size } : {})} />
}
