import { useMemo, useState } from 'react'
import type { WalletList } from '../../../events/subjects/service/listingState.ts'
import { Button } from '../../kit/controls/Button.tsx'
import { Empty } from '../../kit/feedback/Empty.tsx'
import { SearchField } from '../../kit/controls/SearchField.tsx'
import { Icon } from '../../kit/icons/Icon.tsx'
import { IconButton } from '../../kit/controls/IconButton.tsx'
import { refresh, shield, warn } from '../../kit/icons/icons.ts'
import { bridge, search as searchIcon } from '../../kit/icons/iconsOfModal.ts'
import { ScrollArea } from '../../kit/surface/ScrollArea.tsx'
import { Spinner } from '../../kit/feedback/Spinner.tsx'
import { useCommand, useModel } from '../../react.tsx'
import { useNotice } from '../../notices/useNotice.ts'
import { knownWallets, offered, useDirectory, walletCount } from './directory.ts'
import { isPhone } from '../../isPhone.ts'
import { useReadyPhone } from '../phone/opener.ts'
import { Tiles } from './Tiles.tsx'
import { type WalletTile, walletTiles } from './tiles.ts'
import { useChoose } from '../useChoose.ts'
import { useSearch } from './useSearch.ts'
import { connectArea } from '../../texts/connect/en.ts'
import { useTexts } from '../../texts/language.tsx'
import { basics } from '../../texts/basics/en.ts'

/** Page sizes of the directory: of the whole list, and of a search. */
const pageSize = 40
const searchSize = 100

/** The whole wallet directory, searchable and paged. */
export function AllWallets() {
  useDirectory()
  useReadyPhone()
  const notice = useNotice()
  const t = useTexts(connectArea)
  const choose = useChoose()
  const [typed, setTyped] = useState('')
  const [certified, setCertified] = useState(false)
  const { search, again, readMore } = useSearch(typed, certified)
  const known = useModel(({ listing }) => walletCount(listing))
  const toggle = () => {
    if (!certified) notice('success', t.certifiedShown)
    setCertified(!certified)
  }
  return (
    <div className="layout-stack">
      <div className="layout-inline all-wallets-search">
        <SearchField
          label={t.search}
          placeholder={known === undefined ? t.search : t.searchCount(known)}
          text={typed}
          onText={setTyped}
          testId="wallet-search"
        />
        <IconButton
          path={shield}
          label={t.certifiedOnly}
          className="all-wallets-certified"
          aria-pressed={certified}
          onClick={toggle}
        />
        {isPhone() && (
          <IconButton
            path={bridge}
            label={t.otherDeviceCode}
            data-testid="other-device-code"
            onClick={() => choose()}
          />
        )}
      </div>
      <div className="all-wallets-results">
        {search.phase === 'none' ? (
          <Everything />
        ) : search.phase === 'searching' ? (
          <div className="all-wallets-searching" role="status">
            <Spinner />
            <span className="text-hidden">{t.searching}</span>
          </div>
        ) : search.phase === 'failed' ? (
          <Failed fact={t.searchFailed} onAgain={again} />
        ) : (
          <Found text={search.text} list={search.list} certified={certified} readMore={readMore} />
        )}
      </div>
    </div>
  )
}

function Everything() {
  const command = useCommand()
  const installed = useModel(model => model.installed)
  const listing = useModel(model => model.listing)
  const { all } = listing
  const tiles = useMemo(
    () => walletTiles(offered(installed, listing), knownWallets(listing), '', isPhone()),
    [installed, listing],
  )
  const readMore = () => command({ type: 'listing.read', data: { page: all.pages + 1, search: '' } })
  return <Pages tiles={tiles} list={all} size={pageSize} readMore={readMore} />
}

/** Tiles of a paged list; reads the next page when its end comes near. */
function Pages(props: { tiles: WalletTile[]; list: WalletList; size: number; readMore: () => void }) {
  const { tiles, list, size, readMore } = props
  const t = useTexts(connectArea)
  const failed = list.phase === 'failed'
  const more = list.pages === 0 || list.pages * size < list.count
  const onNearEnd = () => {
    if (list.phase === 'idle' && list.pages > 0 && more) readMore()
  }
  return (
    <ScrollArea>
      <Tiles
        tiles={tiles}
        waiting={failed || !more ? 0 : list.pages === 0 ? 16 : 4}
        page={list.phase === 'idle' ? list.pages : -1}
        onNearEnd={onNearEnd}
      />
      {failed && <Failed fact={list.pages === 0 ? t.listFailed : t.moreFailed} onAgain={readMore} />}
    </ScrollArea>
  )
}

function Found(props: { text: string; list: WalletList; certified: boolean; readMore: () => void }) {
  const { text, list, certified, readMore } = props
  const choose = useChoose()
  const t = useTexts(connectArea)
  const installed = useModel(model => model.installed)
  const listing = useModel(model => model.listing)
  const here = offered(installed, listing)
  const tiles = walletTiles(
    // An installed wallet may claim any name, so it never carries the badge of a listed one
    certified ? [] : here.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase())),
    offered(list.wallets, listing),
    text,
    isPhone(),
  ).filter(tile => !certified || tile.certified)
  if (tiles.length > 0) return <Pages tiles={tiles} list={list} size={searchSize} readMore={readMore} />
  const code = (
    <Button size="small" onClick={() => choose()}>
      {t.showCode}
    </Button>
  )
  if (text === '')
    return (
      <Empty icon={shield} fact={t.noCertified} action={code}>
        {t.noCertifiedNote}
      </Empty>
    )
  return (
    <Empty icon={searchIcon} fact={certified ? t.noCertifiedNamed(text) : t.noneNamed(text)} action={code}>
      {t.noneNote}
    </Empty>
  )
}

/** A list that failed to load; never shown as an empty one. */
function Failed({ fact, onAgain }: { fact: string; onAgain: () => void }) {
  const t = useTexts(connectArea)
  const { tryAgain } = useTexts(basics)
  const online = useModel(({ network }) => network.online)
  return (
    <Empty
      icon={warn}
      fact={fact}
      action={
        <Button size="small" icon={<Icon path={refresh} small />} onClick={onAgain}>
          {tryAgain}
        </Button>
      }
    >
      {online ? t.othersWork : t.installedWork}
    </Empty>
  )
}
