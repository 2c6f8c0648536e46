import { useEffect, useState } from 'react'
import { Logo } from '../kit/identity/Logo.tsx'
import { type Surroundings, useSurroundings } from '../react.tsx'

interface WalletMarkProps {
  name: string
  /** Set for an installed wallet: its own icon is used. */
  walletKey?: string | undefined
  /** Picture in the wallet directory. */
  imageId?: string | undefined
  size?: 'large'
  /** Runs the fetch of the picture now or later, and returns what takes it back; default: now. */
  whenStill?: (task: () => void) => () => void
}

/** A wallet's logo: its initial, replaced by its picture once loaded. */
export function WalletMark({ name, walletKey, imageId, size, whenStill }: WalletMarkProps) {
  const src = useWalletPicture(walletKey, imageId, whenStill)
  return <Logo name={name} src={src} {...(size ? { size } : {})} />
}

/** Pictures read so far, by the page's reader: a mark that is drawn again has its picture at once. */
const pictures = new WeakMap<Surroundings['walletImage'], Map<string, string>>()

function atOnce(task: () => void): () => void {
  task()
  return () => {}
}

/** @returns a data: or blob: URL of the wallet's picture; undefined until loaded */
export function useWalletPicture(
  walletKey: string | undefined,
  imageId: string | undefined,
  whenStill: WalletMarkProps['whenStill'] = atOnce,
): string | undefined {
  const { walletIcon, walletImage } = useSurroundings()
  const own = walletKey === undefined ? undefined : walletIcon(walletKey)
  const [read, setRead] = useState<{ imageId: string; src: string }>()
  const src = read?.imageId === imageId ? read?.src : pictures.get(walletImage)?.get(imageId ?? '')
  const asked = own === undefined && src === undefined ? imageId : undefined
  useEffect(() => {
    if (asked === undefined) return
    let current = true
    const takeBack = whenStill(() => {
      walletImage(asked).then(
        src => {
          if (src === undefined) return
          const known = pictures.get(walletImage) ?? new Map<string, string>()
          pictures.set(walletImage, known.set(asked, src))
          if (current) setRead({ imageId: asked, src })
        },
        // without a picture the initial stays
        () => {},
      )
    })
    return () => {
      current = false
      takeBack()
    }
  }, [asked, walletImage, whenStill])
  return own ?? src
}
