/** A version of the terms by its hash, from its copy beside the terms in force. */
import { passingCodes } from '../../../../events/passingCodes.ts'
import { readTerms } from '../../../../events/sale/terms/terms.ts'
import { Fault, toFailure } from '../../../../runtime/failure.ts'
import type { TermsVersion } from '../../../ledger/ledgerSale.ts'
import { termsFileName } from '../../../ledger/termsFileName.ts'
import { hashText } from '../../../services/notices.ts'
import type { Http } from '../../http.ts'

/**
 * @param hash of the version, 64 hex digits
 * @throws Fault `terms_invalid` when the file is not there or another one; of a passing code when it cannot be had now
 */
export async function readVersion(
  { http, termsUrl }: { http: Http; termsUrl: string },
  expected: string,
): Promise<TermsVersion> {
  const name = termsFileName(expected)
  const what = 'an earlier version of the terms'
  const text = await http.text({ url: new URL(name, termsUrl).href, what }).catch((cause: unknown) => {
    if (passingCodes.has(toFailure(cause).code)) throw cause
    throw new Fault('terms_invalid', `${what} expected the file ${name} beside the terms, it is not there`)
  })
  const { terms, canonical } = readTerms(text)
  const hash = hashText(canonical)
  if (hash === expected) return { terms, hash }
  throw new Fault('terms_invalid', `${what} expected the hash ${expected}, got ${hash}`)
}
