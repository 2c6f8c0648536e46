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

/** @param ports `termsUrl` is absolute */
export function createDocumentsDriver({ termsUrl, http }: { termsUrl: string; http: Http }): {
  'sale.readLegal': Drive
  'sale.readAccess': Drive
  'sale.readContent': Drive
} {
  /** the last list by its hash; it never changes */
  let list: { sha256: string; accounts: ReadonlySet<string> } | undefined

  const readHashed = async (what: string, named: { url: string; sha256: string }, maxBytes: number) => {
    const url = placeOf(named.url, termsUrl)
    const bytes = await http.bytes({ url, what, retries, maxBytes })
    const hash = bytesToHex(sha256(bytes))
    if (hash === named.sha256) return { url, bytes }
    throw new Fault('terms_invalid', `${what} expected the hash ${named.sha256} of the terms, got ${hash}`)
  }

  return {
    'sale.readLegal': drive<EffectData['sale.readLegal']>(async named => {
      const { url } = await readHashed('the legal document', named, maxLegalBytes)
      return answered({ type: 'sale.legal', data: { sha256: named.sha256, url } })
    }),
    'sale.readAccess': drive<EffectData['sale.readAccess']>(async ({ account, ...named }) => {
      if (list?.sha256 !== named.sha256) {
        const { bytes } = await readHashed('the list of the sale', named, maxListBytes)
        list = { sha256: named.sha256, accounts: readAllowlist(new TextDecoder().decode(bytes)) }
      }
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
