import { useEffect, useState } from 'react'
import { Logo } from '../kit/Logo.tsx'
import { useSurroundings } from '../react.tsx'

interface WalletMarkProps {
  name: string
  /** Set for a wallet in this page: its own icon. */
  walletKey?: string | undefined
  /** The directory's picture. */
  imageId?: string | undefined
  size?: 'large'
  /** Wait with the picture while this is false; default true. */
  wanted?: boolean
}

/** A wallet's mark: its letter, and its picture as soon as there is one. */
export function WalletMark({ name, walletKey, imageId, size, wanted = true }: WalletMarkProps) {
  const src = useWalletPicture(walletKey, imageId, wanted)
  return <Logo name={name} src={src} {...(size ? { size } : {})} />
}

/** @returns a data: or blob: address of the wallet's picture, undefined until there is one */
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
      // without a picture the letter stays
      () => {},
    )
    return () => {
      current = false
    }
  }, [asked, walletImage])
  return own ?? (read?.imageId === imageId ? read?.src : undefined)
}
