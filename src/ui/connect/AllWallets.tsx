import { useMemo, useState } from 'react'
import { Button } from '../kit/Button.tsx'
import { Empty } from '../kit/Empty.tsx'
import { Field } from '../kit/Field.tsx'
import { Icon } from '../kit/Icon.tsx'
import { IconButton } from '../kit/IconButton.tsx'
import { refresh, shield, warn } from '../kit/icons.ts'
import { search as searchIcon } from '../kit/iconsOfModal.ts'
import { ScrollArea } from '../kit/ScrollArea.tsx'
import { Spinner } from '../kit/Spinner.tsx'
import { useCommand, useModel } from '../react.tsx'
import { useNotice } from '../useNotice.ts'
import { useDirectory } from './directory.ts'
import { Tiles } from './Tiles.tsx'
import { walletTiles } from './tiles.ts'
import { useChoose } from './useChoose.ts'
import { useSearch } from './useSearch.ts'

/** What the directory answers with at once, at most. */
const pageSize = 40

/** The whole directory, to search and to page through. */
export function AllWallets() {
  useDirectory()
  const notice = useNotice()
  const [typed, setTyped] = useState('')
  const [certified, setCertified] = useState(false)
  const { search, again } = useSearch(typed)
  const known = useModel(({ listing }) =>
    listing.all.pages > 0 ? listing.all.count + listing.featured.length : undefined,
  )
  const toggle = () => {
    if (!certified) notice('success', 'Only certified wallets are shown')
    setCertified(!certified)
  }
  return (
    <div className="stack">
      <div className="inline searchline">
        <Field
          label="Search wallets"
          icon={<Icon path={searchIcon} />}
          placeholder={known === undefined ? 'Search wallets' : `Search ${known} wallets`}
          type="search"
          enterKeyHint="search"
          maxLength={100}
          spellCheck={false}
          data-testid="wallet-search"
          value={typed}
          onChange={event => setTyped(event.target.value)}
        />
        <IconButton
          path={shield}
          label="Certified wallets only"
          className="cert"
          aria-pressed={certified}
          onClick={toggle}
        />
      </div>
      {search.phase === 'none' ? (
        <Everything certified={certified} />
      ) : search.phase === 'searching' ? (
        <div className="searching" role="status">
          <Spinner />
          <span className="vh">Searching</span>
        </div>
      ) : search.phase === 'failed' ? (
        <Failed fact="The search did not get through" onAgain={again} />
      ) : (
        <Found text={search.text} wallets={search.wallets} certified={certified} />
      )}
    </div>
  )
}

function Everything({ certified }: { certified: boolean }) {
  const command = useCommand()
  const installed = useModel(model => model.installed)
  const featured = useModel(model => model.listing.featured)
  const all = useModel(model => model.listing.all)
  const tiles = useMemo(() => {
    const listed = [...featured, ...all.wallets]
    return certified ? walletTiles([], listed).filter(tile => tile.certified) : walletTiles(installed, listed)
  }, [installed, featured, all.wallets, certified])
  const read = (page: number) => command({ type: 'listing.read', data: { page, search: '' } })
  const failed = all.phase === 'failed'
  const more = all.pages === 0 || all.pages * pageSize < all.count
  const onNearEnd = () => {
    if (all.phase === 'idle' && all.pages > 0 && more) read(all.pages + 1)
  }
  const again = () => read(all.pages + 1)
  return (
    <ScrollArea>
      <Tiles
        tiles={tiles}
        waiting={failed || !more ? 0 : all.pages === 0 ? 16 : 4}
        page={all.phase === 'idle' ? all.pages : -1}
        onNearEnd={onNearEnd}
      />
      {failed && all.pages === 0 && <Failed fact="The wallet list did not load" onAgain={again} />}
      {failed && all.pages > 0 && <Failed fact="More wallets did not load" onAgain={again} />}
      {!failed && !more && tiles.length === 0 && (
        <Empty icon={shield} fact="No certified wallet here">
          Show all wallets again, or scan a QR code with any WalletConnect wallet.
        </Empty>
      )}
    </ScrollArea>
  )
}

function Found(props: { text: string; wallets: Parameters<typeof walletTiles>[1]; certified: boolean }) {
  const { text, wallets, certified } = props
  const choose = useChoose()
  const installed = useModel(model => model.installed)
  const every = walletTiles(
    installed.filter(here => here.name.toLowerCase().includes(text.toLowerCase())),
    wallets,
    text,
  )
  const tiles = certified ? walletTiles([], wallets).filter(tile => tile.certified) : every
  if (tiles.length > 0) {
    return (
      <ScrollArea>
        <Tiles tiles={tiles} waiting={0} />
      </ScrollArea>
    )
  }
  return (
    <Empty
      icon={searchIcon}
      fact={every.length > 0 ? `No certified wallet named “${text}”` : `No wallet named “${text}”`}
      action={
        <Button size="small" onClick={() => choose()}>
          Show QR code
        </Button>
      }
    >
      Check the spelling, or scan a QR code with any WalletConnect wallet.
    </Empty>
  )
}

/** A list that did not come; never to be mistaken for an empty one. */
function Failed({ fact, onAgain }: { fact: string; onAgain: () => void }) {
  return (
    <Empty
      icon={warn}
      fact={fact}
      action={
        <Button size="small" icon={<Icon path={refresh} small />} onClick={onAgain}>
          Try again
        </Button>
      }
    >
      Installed wallets and the QR code still work.
    </Empty>
  )
}
