import type { WalletRef } from '../../../events/schema/fields.ts'
import type { ListedWallet } from '../../../events/subjects/service/listingFacts.ts'
import { ExternalLink } from '../../kit/controls/ExternalLink.tsx'
import { useDispatch } from '../../react.tsx'
import { connectArea } from '../../texts/connect/en.ts'
import { useTexts } from '../../texts/language.tsx'
import { handheld } from '../phone/handheld.ts'
import { placesOf } from '../places.ts'

/** Most characters of a wallet's name in the line. */
const mostLetters = 12

/**
 * Where to get a wallet: on a phone its system's store, else the one place that the directory knows or a screen with all of
 * them; null without any.
 * @see reference "views", §6.1
 */
export function GetLine({ wallet, listed }: { wallet: WalletRef; listed: ListedWallet | undefined }) {
  const t = useTexts(connectArea)
  const dispatch = useDispatch()
  const { system } = handheld()
  const [first, ...more] = placesOf(listed).filter(({ on }) => system === 'other' || on === system)
  if (!first) return null
  const letters = [...wallet.name]
  const name = letters.length > mostLetters ? `${letters.slice(0, mostLetters - 1).join('')}…` : wallet.name
  return (
    <div className="get-line">
      <span>{t.dontHave(name)}</span>
      {more.length === 0 ? (
        <ExternalLink className="link touch" href={first.href}>
          {t.getIt}
        </ExternalLink>
      ) : (
        <button
          type="button"
          className="link touch"
          data-testid="get-wallet"
          onClick={() => dispatch({ type: 'screen.shown', data: { screen: { name: 'Downloads', wallet } } })}
        >
          {t.getIt}
        </button>
      )}
    </div>
  )
}
