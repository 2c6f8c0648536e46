import { memo, type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import { Icon } from '../../kit/icons/Icon.tsx'
import { shield, warn } from '../../kit/icons/icons.ts'
import { useModel } from '../../react.tsx'
import { likenessWords } from './likeness.ts'
import { useChoose } from '../useChoose.ts'
import { useLookalikes } from './useLookalikes.ts'
import { useWindow } from './useWindow.ts'
import type { WalletTile } from './tiles.ts'
import { WalletMark } from '../WalletMark.tsx'
import { connectArea } from '../../texts/connect/en.ts'
import { useTexts } from '../../texts/language.tsx'

/** Distance to the end at which the next page is requested, px. */
const near = '480px 0px'

/**
 * Wallets as a grid of tiles; those near the visible part are drawn, and get their pictures once the list stands still.
 *
 * @param waiting number of skeleton tiles after them
 * @param onNearEnd called when the skeletons come near; again for each `page`
 */
export function Tiles(props: { tiles: WalletTile[]; waiting: number; page?: number; onNearEnd?: () => void }) {
  const { tiles, waiting, page, onNearEnd } = props
  const end = useRef<HTMLSpanElement>(null)
  const { grid, whenStill, ...shown } = useWindow(tiles.length + waiting)
  const installed = useModel(model => model.installed)
  const listing = useModel(model => model.listing)
  const lookalikes = useLookalikes(installed, listing)
  const ask = useEffectEvent(() => onNearEnd?.())
  const bones = Array.from({ length: waiting }, (_, index) => index).filter(
    index => tiles.length + index >= shown.first && tiles.length + index < shown.end,
  )
  const ends = bones[0] === 0
  // a new page moves the end; a new observer reports at once whether it is still near
  useEffect(() => whenSeen(end, ask, near), [ends, page, tiles.length])
  return (
    <div className="tiles" ref={grid}>
      {tiles.slice(shown.first, shown.end).map(tile => (
        <Tile
          key={tile.key}
          tile={tile}
          listed={tile.walletKey && lookalikes.get(tile.walletKey)}
          whenStill={whenStill}
        />
      ))}
      {bones.map(index => (
        <span className="tile" aria-hidden="true" key={index} ref={index === 0 ? end : undefined}>
          <span className="skeleton tile-skeleton" />
          <span className="skeleton skeleton-line skeleton-40" />
        </span>
      ))}
    </div>
  )
}

type TileProps = {
  tile: WalletTile
  listed: string | undefined
  whenStill: (task: () => void) => () => void
}

/**
 * @param props.listed the listed wallet whose name this one resembles
 * @param props.whenStill runs a task while the list is not scrolled
 */
const Tile = memo(function Tile(props: TileProps) {
  const { wallet, walletKey, imageId, certified, twin = false } = props.tile
  const t = useTexts(connectArea)
  const words = likenessWords(t, { twin, listed: props.listed })
  const choose = useChoose()
  return (
    <button
      type="button"
      className="tile"
      data-testid="wallet-row"
      data-wallet={wallet.name}
      onClick={() => choose(wallet, walletKey)}
    >
      <WalletMark name={wallet.name} walletKey={walletKey} imageId={imageId} whenStill={props.whenStill} />
      <span className="tile-name" title={wallet.name}>
        {wallet.name}
      </span>
      {walletKey !== undefined && (
        <span className="tile-has">
          <span className="text-hidden">, {t.isInstalled}</span>
        </span>
      )}
      {certified && (
        <span className="tile-certified" title={t.certified}>
          <Icon path={shield} small />
          <span className="text-hidden">, {t.certified}</span>
        </span>
      )}
      {words !== undefined && (
        <span className="tile-alike" title={words}>
          <Icon path={warn} small />
          <span className="text-hidden">, {words}</span>
        </span>
      )}
    </button>
  )
})

/** Calls `then` once when the element is visible, or within `margin` of it in its list. @returns stops observing */
function whenSeen(place: RefObject<HTMLElement | null>, then: () => void, margin: string): (() => void) | undefined {
  const element = place.current
  if (!element) return undefined
  const watcher = new IntersectionObserver(
    entries => {
      if (!entries.some(entry => entry.isIntersecting)) return
      watcher.disconnect()
      then()
    },
    { root: element.closest('.scroll-area'), rootMargin: margin },
  )
  watcher.observe(element)
  return () => watcher.disconnect()
}
