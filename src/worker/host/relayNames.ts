/** What relays are called wherever it may be written down. */
import { publicUrl } from '../../events/values/publicUrl.ts'

/**
 * Relays may differ in nothing but their query or their user, which may be a secret, so nothing made of those is told: the
 * second one at the same address is told by its place, `wss://relay.example/#2`. No address without its query ends like that.
 *
 * @param urls as configured, in order; the same one twice is one relay
 * @returns the names of the relays, each with the url behind it, in order
 */
export function relayNames(urls: readonly string[]): { name: string; url: string }[] {
  const places = new Map<string, number>()
  return [...new Set(urls)].map(url => {
    const address = publicUrl(url)
    const place = (places.get(address) ?? 0) + 1
    places.set(address, place)
    return { name: place === 1 ? address : `${address}#${place}`, url }
  })
}
