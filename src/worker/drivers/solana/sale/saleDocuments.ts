/**
 * Documents named by hash in the terms, and the content file. All are fetched from the origin of the terms: a document is
 * identified by its hash, so a copy beside the terms is as good as the original.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { EffectData } from '../../../../events/effect.ts'
import { Fault } from '../../../../runtime/failure.ts'
import { readAllowlist } from '../../../services/allowlist.ts'
import { maxContentBytes, readContent } from '../../../services/content.ts'
import { answered, drive } from '../../drive.ts'
import type { Drive } from '../../../../runtime/host/driver.ts'
import type { Http } from '../../http.ts'

/** Low, as the core repeats the effect. */
const retries = 1
const maxLegalBytes = 1_000_000
/** Enough for some 45,000 addresses. */
const maxListBytes = 2_000_000

type Named = { url: string; sha256: string }
/** `termsUrl` is absolute. */
type Ports = { termsUrl: string; http: Http }

async function readHashed({ termsUrl, http }: Ports, what: string, named: Named, maxBytes: number) {
  const url = placeOf(named.url, termsUrl)
  const bytes = await http.bytes({ url, what, retries, maxBytes })
  const hash = bytesToHex(sha256(bytes))
  if (hash === named.sha256) return { url, bytes }
  throw new Fault('terms_invalid', `${what} expected the hash ${named.sha256} of the terms, got ${hash}`)
}

/** @returns the admitted accounts. @throws Fault `terms_invalid` when the list is not the one that the terms name */
export async function readList(ports: Ports, named: Named): Promise<ReadonlySet<string>> {
  const { bytes } = await readHashed(ports, 'the list of the sale', named, maxListBytes)
  return readAllowlist(new TextDecoder().decode(bytes))
}

export function createDocumentsDriver(ports: Ports): {
  'sale.readLegal': Drive
  'sale.readAccess': Drive
  'sale.readContent': Drive
} {
  const { termsUrl, http } = ports
  /** the last list by its hash; it never changes */
  let list: { sha256: string; accounts: ReadonlySet<string> } | undefined

  return {
    'sale.readLegal': drive<EffectData['sale.readLegal']>(async named => {
      const { url } = await readHashed(ports, 'the legal document', named, maxLegalBytes)
      return answered({ type: 'sale.legal', data: { sha256: named.sha256, url } })
    }),
    'sale.readAccess': drive<EffectData['sale.readAccess']>(async ({ account, ...named }) => {
      if (list?.sha256 !== named.sha256) list = { sha256: named.sha256, accounts: await readList(ports, named) }
      return answered({ type: 'sale.access', data: { account, allowed: list.accounts.has(account) } })
    }),
    'sale.readContent': drive<EffectData['sale.readContent']>(async () => {
      try {
        const url = new URL('content.json', termsUrl).href
        const text = await http.text({ url, what: 'the content file', retries, maxBytes: maxContentBytes })
        return answered({ type: 'sale.content', data: { content: readContent(text, termsUrl) } })
      } catch (cause) {
        // Missing or malformed: the page works without it
        if (cause instanceof Fault && cause.code === 'bad_response') return answered({ type: 'sale.content', data: {} })
        throw cause
      }
    }),
  }
}

/** @returns the document's own URL if it is on the terms' origin, otherwise a file beside the terms */
function placeOf(named: string, termsUrl: string): string {
  const url = new URL(named, termsUrl)
  if (url.origin === new URL(termsUrl).origin) return url.href
  return new URL(`./${url.pathname.split('/').at(-1) ?? ''}`, termsUrl).href
}
