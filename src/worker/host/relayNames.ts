/** Names of relays for the log and for errors. */
import { publicUrl } from '../../events/values/publicUrl.ts'

/**
 * Relays may differ only in their query or user, which may be secret and are never named: the second relay at the same address
 * is named by its place, `wss://relay.example/#2`. No address without its query ends like that.
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
