import { useEffect, useState } from 'react'
import { Logo } from '../kit/identity/Logo.tsx'
import { useSurroundings } from '../react.tsx'

interface WalletMarkProps {
  name: string
  /** Set for an installed wallet: its own icon is used. */
  walletKey?: string | undefined
  /** Picture in the wallet directory. */
  imageId?: string | undefined
  size?: 'large'
  /** Do not fetch the picture while false; default true. */
  wanted?: boolean
}

/** A wallet's logo: its initial, replaced by its picture once loaded. */
export function WalletMark({ name, walletKey, imageId, size, wanted = true }: WalletMarkProps) {
  const src = useWalletPicture(walletKey, imageId, wanted)
  return <Logo name={name} src={src} {...(size ? { size } : {})} />
}

/** @returns a data: or blob: URL of the wallet's picture; undefined until loaded */
export function useWalletPicture(
  walletKey: string | undefined,
  imageId: string | undefined,
  wanted = true,
): string | undefined {
  const { walletIcon, walletImage } = useSurroundings()
  const own = walletKey === undefined ? undefined : walletIcon(walletKey)
  const asked = own === undefined && wanted ? imageId : undefined
  const [read, setRead] = useState<{ imageId: string; src: string }>()
  useEffect(() => {
    if (asked === undefined) return
    let current = true
    walletImage(asked).then(
      src => {
        if (current && src !== undefined) setRead({ imageId: asked, src })
      },
      // without a picture the initial stays
      () => {},
    )
    return () => {
      current = false
    }
  }, [asked, walletImage])
  return own ?? (read?.imageId === imageId ? read?.src : undefined)
}
