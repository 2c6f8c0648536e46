import type { ListedWallet } from '../../events/subjects/service/listingFacts.ts'

/** Where a wallet can be got. `on`: the system whose store it is; `other` is any computer. */
type Place = { id: 'chrome' | 'ios' | 'android' | 'site'; on: 'ios' | 'android' | 'other'; href: string }

/** @returns the places that the directory knows, all over https, since a recording may hold anything */
export function placesOf(listed: ListedWallet | undefined): Place[] {
  const all = [
    { id: 'chrome', on: 'other', href: listed?.chromeStore },
    { id: 'ios', on: 'ios', href: listed?.appStore },
    { id: 'android', on: 'android', href: listed?.playStore },
    { id: 'site', on: 'other', href: listed?.homepage },
  ] as const
  return all.flatMap(({ href, ...place }) =>
    href !== undefined && /^https:\/\//i.test(href) && URL.canParse(href) ? [{ ...place, href }] : [],
  )
}
