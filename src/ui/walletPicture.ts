import { useEffect, useState } from 'react'
import type { Connection } from '../events/subjects/wallet/connection.ts'
import type { InstalledView, InstalledWallet } from '../events/subjects/wallet/installed.ts'
import { sameName } from './walletNames.ts'
import { type Surroundings, useModel, useSurroundings } from './react.tsx'

/** Runs the fetch of a picture now or later, and returns what takes it back. */
export type WhenStill = (task: () => void) => () => void

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
  whenStill: WhenStill = atOnce,
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

/** @returns the installed wallet of a connection, by its name and recorded picture; undefined while it is not here */
export function installedOf(
  installed: InstalledView,
  { connector, wallet, identity }: Connection,
): InstalledWallet | undefined {
  if (connector !== 'installed') return undefined
  return installed.find(one => one.name === wallet.name && (identity === undefined || one.identity === identity))
}

/**
 * @returns the directory's picture of a wallet that was chosen there and connected over WalletConnect; undefined for any other.
 *   Any wallet that scans the code may have answered it: a peer without the chosen wallet's name has none
 */
export function useListedPicture({
  connector,
  wallet,
  peerName,
}: Pick<Connection, 'connector' | 'wallet' | 'peerName'>): string | undefined {
  const imageId = useModel(({ listing: { featured, top, all, found } }) => {
    if (connector !== 'walletConnect' || peerName === undefined) return undefined
    const read = [featured, top?.wallets ?? [], all.wallets, found.wallets].flat()
    return read.find(({ walletId, name }) => walletId === wallet.walletId && sameName(name, peerName))?.imageId
  })
  return useWalletPicture(undefined, imageId)
}
