/**
 * Documents that the terms name by their hash, and the content file. All of them are read at the origin of the terms: a
 * document is known by its hash, so a copy beside the terms is the same document wherever the terms say it is.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { EffectData } from '../../../events/effect.ts'
import { Fault } from '../../../events/failure.ts'
import { readAllowlist } from '../../services/allowlist.ts'
import { maxContentBytes, readContent } from '../../services/content.ts'
import { answered, type Drive, drive } from '../drive.ts'
import type { Http } from '../http.ts'

/** The core asks again by itself. */
const retries = 1
const maxLegalBytes = 1_000_000
/** Some 45,000 addresses. */
const maxListBytes = 2_000_000

/** @param ports `termsUrl` absolute */
export function createDocumentsDriver({ termsUrl, http }: { termsUrl: string; http: Http }): {
  'sale.readLegal': Drive
  'sale.readAccess': Drive
  'sale.readContent': Drive
} {
  /** The list read last, by its hash: it never changes. */
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
        // None is published, or one that cannot be read: the page goes without
        if (cause instanceof Fault && cause.code === 'bad_response') return answered({ type: 'sale.content', data: {} })
        throw cause
      }
    }),
  }
}

/** @returns where a document is read: at its own address on the terms' origin, else as a file beside the terms */
function placeOf(named: string, termsUrl: string): string {
  const url = new URL(named, termsUrl)
  if (url.origin === new URL(termsUrl).origin) return url.href
  return new URL(`./${url.pathname.split('/').at(-1) ?? ''}`, termsUrl).href
}
