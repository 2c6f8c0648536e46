import type { WalletRef } from '../../events/schema/fields.ts'
import { ExternalLink } from '../kit/controls/ExternalLink.tsx'
import { Icon } from '../kit/icons/Icon.tsx'
import { out } from '../kit/icons/icons.ts'
import { Logo } from '../kit/identity/Logo.tsx'
import { useModel } from '../react.tsx'
import { connectArea } from '../texts/connect/en.ts'
import { useTexts } from '../texts/language.tsx'
import { NoneToSuggest } from './GetWallet.tsx'
import { listedOf } from './list/directory.ts'
import { placesOf } from './places.ts'

/** Every place where the directory knows a wallet to be got, each in a new tab. */
export function Downloads({ wallet }: { wallet: WalletRef }) {
  const t = useTexts(connectArea)
  const places = placesOf(useModel(({ listing }) => listedOf(listing, wallet)))
  if (places.length === 0) return <NoneToSuggest />
  return (
    <>
      {places.map(({ id, href }) => (
        <ExternalLink key={id} className="row" href={href} data-testid="get-place">
          <Logo name={t.places[id]} />
          <span className="row-name">
            {t.places[id]}
            <span className="row-sub">{new URL(href).hostname}</span>
          </span>
          <Icon path={out} className="row-go" />
        </ExternalLink>
      ))}
      <p className="text-fine">{t.comeBack}</p>
    </>
  )
}
