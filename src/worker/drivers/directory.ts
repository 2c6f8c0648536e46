import type { EffectData } from '../../events/effect.ts'
import { type ListingHost, listingUrl, readListing } from '../services/listing.ts'
import { answered, drive } from './drive.ts'
import type { Drive } from '../../runtime/host/driver.ts'
import type { Http } from './http.ts'

/**
 * Reads the wallet directory.
 *
 * @returns the driver of `directory.read`; failures answer `directory.failed` with the page
 */
export function createDirectoryDriver(ports: ListingHost & { http: Http }): { 'directory.read': Drive } {
  return {
    'directory.read': drive<EffectData['directory.read']>(
      async ask => {
        const body = ask.bundled
          ? withoutIds((await import('../services/walletSnapshot.ts')).walletSnapshot, ask.exclude)
          : await ports.http.json({ url: listingUrl(ports, ask), what: 'the wallet directory' })
        const { count, wallets } = readListing(body, ask, ports)
        return answered({ type: 'directory.read', data: { ...askedOf(ask), count, wallets } })
      },
      (failure, ask) => answered({ type: 'directory.failed', data: { ...askedOf(ask), failure } }),
    ),
  }
}

/** The snapshot as the service would answer. */
function withoutIds({ data }: { data: readonly { id: string }[] }, exclude: readonly string[]): { data: object[] } {
  return { data: data.filter(({ id }) => !exclude.includes(id)) }
}

/** The fields of the request that its answer repeats. */
function askedOf({ page, search, certified }: EffectData['directory.read']) {
  return { page, search, ...(certified && { certified }) }
}
