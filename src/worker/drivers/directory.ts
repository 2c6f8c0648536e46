import type { EffectData } from '../../events/effect.ts'
import { networks } from '../../events/values/networks.ts'
import { type CustomWallet, customImageId } from '../../events/wire.ts'
import { type ListingHost, listingUrl, readListing } from '../services/listing.ts'
import { answered, drive } from './drive.ts'
import type { Drive } from '../../runtime/host/driver.ts'
import type { Http } from './http.ts'

/**
 * @param offered the page's networks
 * @returns those by which the directory knows its wallets: the public ones, else mainnet, as wallets of a local chain are listed
 *   under it
 */
export function listChains(offered: readonly string[]): string[] {
  const known = networks.filter(({ caip2 }) => offered.includes(caip2))
  return (known.length > 0 ? known : networks.filter(({ test }) => !test)).map(({ caip2 }) => caip2)
}

/**
 * Reads the wallet directory. Wallets of the host's own come with the page that names them, after the service's.
 *
 * @returns the driver of `directory.read`; failures answer `directory.failed` with the page
 */
export function createDirectoryDriver({
  custom = [],
  http,
  ...host
}: ListingHost & { http: Http; custom?: readonly CustomWallet[] | undefined }): { 'directory.read': Drive } {
  const isCustom = (id: string) => custom.some(one => one.id === id)
  const nothing = { count: 0, wallets: [] }

  async function listed(ask: EffectData['directory.read']): Promise<ReturnType<typeof readListing>> {
    const include = ask.include.filter(id => !isCustom(id))
    // Without an id of the service's the whole list would come
    if (include.length === 0 && ask.include.length > 0) return nothing
    const body = ask.bundled
      ? chosenOf((await import('../services/walletSnapshot.ts')).walletSnapshot, ask)
      : await http.json({ url: listingUrl(host, { ...ask, include }), what: 'the wallet directory' })
    // The snapshot names each wallet by mainnet alone
    return readListing(body, ask, ask.bundled ? { onPhone: host.onPhone } : host)
  }

  return {
    'directory.read': drive<EffectData['directory.read']>(
      async ask => {
        const named = custom.map(withImageId).filter(({ id }) => ask.include.includes(id))
        const own = named.length > 0 ? readListing({ data: named }, { entries: named.length }) : nothing
        const { count, wallets } = joined(await listed(ask), own)
        return answered({ type: 'directory.read', data: { ...askedOf(ask), count, wallets } })
      },
      (failure, ask) => answered({ type: 'directory.failed', data: { ...askedOf(ask), failure } }),
    ),
  }
}

/** The page fetches the pictures of a host's wallets from their own addresses. */
function withImageId(wallet: CustomWallet, place: number): CustomWallet & { image_id?: string } {
  return wallet.image_url === undefined ? wallet : { ...wallet, image_id: customImageId(place) }
}

function joined(one: ReturnType<typeof readListing>, other: ReturnType<typeof readListing>) {
  return { count: one.count + other.count, wallets: [...one.wallets, ...other.wallets] }
}

/** The snapshot as the service would answer. */
function chosenOf(
  { data }: { data: readonly { id: string }[] },
  { include, exclude }: EffectData['directory.read'],
): { data: object[] } {
  return { data: data.filter(({ id }) => !exclude.includes(id) && (include.length === 0 || include.includes(id))) }
}

/** The fields of the request that its answer repeats. */
function askedOf({ page, search, certified }: EffectData['directory.read']) {
  return { page, search, ...(certified && { certified }) }
}
