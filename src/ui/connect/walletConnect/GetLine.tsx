import { useState } from 'react'
import type { ListedWallet } from '../../../events/subjects/listing.ts'
import { ExternalLink } from '../../kit/controls/ExternalLink.tsx'
import { handheld } from '../phone/handheld.ts'

/**
 * Where to get a wallet: on a phone its system's store, else each place that the directory knows; null without any.
 * @see reference "views", §6.1
 */
export function GetLine({ name, listed }: { name: string; listed: ListedWallet | undefined }) {
  const [isOpen, setOpen] = useState(false)
  const { system } = handheld()
  const places = placesOf(listed).filter(({ on }) => system === 'other' || on === system)
  const [first, ...more] = places
  if (!first) return null
  return (
    <>
      <div className="get-line">
        <span>Don’t have {[...name].length > 12 ? `${[...name].slice(0, 11).join('')}…` : name}?</span>
        {more.length === 0 ? (
          <ExternalLink href={first.href}>Get it</ExternalLink>
        ) : (
          <button type="button" className="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            Get it
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

function placesOf(listed: ListedWallet | undefined) {
  const all = [
    { label: 'Chrome extension', on: 'other', href: listed?.chromeStore },
    { label: 'iPhone and iPad', on: 'ios', href: listed?.appStore },
    { label: 'Android', on: 'android', href: listed?.playStore },
    { label: 'Website', on: 'other', href: listed?.homepage },
  ]
  return all.flatMap(({ href, ...place }) =>
    href !== undefined && /^https:\/\//i.test(href) ? [{ ...place, href }] : [],
  )
}
