import { useState } from 'react'
import type { ListedWallet } from '../../../events/subjects/listing.ts'
import { ExternalLink } from '../../kit/controls/ExternalLink.tsx'
import { connectArea, type ConnectTexts } from '../../texts/connect/en.ts'
import { useTexts } from '../../texts/language.tsx'
import { handheld } from '../phone/handheld.ts'

/**
 * Where to get a wallet: on a phone its system's store, else each place that the directory knows; null without any.
 * @see reference "views", §6.1
 */
export function GetLine({ name, listed }: { name: string; listed: ListedWallet | undefined }) {
  const t = useTexts(connectArea)
  const [isOpen, setOpen] = useState(false)
  const { system } = handheld()
  const places = placesOf(t, listed).filter(({ on }) => system === 'other' || on === system)
  const [first, ...more] = places
  if (!first) return null
  return (
    <>
      <div className="get-line">
        <span>{t.dontHave([...name].length > 12 ? `${[...name].slice(0, 11).join('')}…` : name)}</span>
        {more.length === 0 ? (
          <ExternalLink href={first.href}>{t.getIt}</ExternalLink>
        ) : (
          <button type="button" className="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {t.getIt}
          </button>
        )}
      </div>
      {isOpen && more.length > 0 && (
        <ul className="get-line-places" data-testid="get-places">
          {places.map(({ label, href }) => (
            <li key={label}>
              <ExternalLink href={href}>{label}</ExternalLink>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function placesOf({ places }: ConnectTexts, listed: ListedWallet | undefined) {
  const all = [
    { label: places.chrome, on: 'other', href: listed?.chromeStore },
    { label: places.ios, on: 'ios', href: listed?.appStore },
    { label: places.android, on: 'android', href: listed?.playStore },
    { label: places.site, on: 'other', href: listed?.homepage },
  ]
  return all.flatMap(({ href, ...place }) =>
    href !== undefined && /^https:\/\//i.test(href) ? [{ ...place, href }] : [],
  )
}
