import { Fault } from '../../runtime/failure.ts'
import type { Terms } from '../../events/sale/terms/terms.ts'
import { associatedTokenAddress } from '../chains/solana/ata.ts'
import { noticeRef, presaleRef } from '../chains/solana/references.ts'

/** A version of the terms, with the sha256 of its canonical text, 64 lower-case hex characters. */
export type TermsVersion = { terms: Terms; hash: string }

/** An account whose balance is a part of the sale: the treasury, or its token account of a listed asset. */
type WatchedAccount = { asset: string; address: string }

/** A sale as its ledger is computed from: plain data, so that it crosses threads. */
export type LedgerSale = {
  /** version 1, where the chain of hashes begins */
  first: TermsVersion
  versions: readonly TermsVersion[]
  /** in the order of the terms' assets; the order of the rows of one transaction */
  watched: readonly WatchedAccount[]
  noticeRef: string
  /** buyers that the sale admits; undefined for an open sale */
  admitted: ReadonlySet<string> | undefined
}

/** A sale as its history is read: any of its versions tells the same accounts, as these are frozen. */
export type SaleAccounts = Pick<LedgerSale, 'first' | 'watched' | 'noticeRef'>

/**
 * @param versions every version that was ever announced; of two with one number the first announced stands first, as `addTransaction`
 *   checks for version 1
 * @param admitted the allowlist, where the terms have one
 * @throws Fault `bad_input` when version 1 is missing, a file is there twice, two are of different sales, or the
 *   allowlist is missing
 */
export function ledgerSaleOf(versions: readonly TermsVersion[], admitted?: ReadonlySet<string>): LedgerSale {
  const inOrder = [...versions].sort((a, b) => a.terms.version - b.terms.version)
  const [first] = inOrder
  if (first?.terms.version !== 1)
    throw new Fault('bad_input', `a ledger expected version 1 of the terms, got ${listed(inOrder) || 'none'}`)
  const twice = inOrder.find((one, at) => inOrder.findIndex(({ hash }) => hash === one.hash) < at)
  if (twice)
    throw new Fault('bad_input', `the terms expected each version once, got version ${twice.terms.version} twice`)
  const { authority, id, access } = first.terms
  const other = inOrder.find(({ terms }) => terms.authority !== authority || terms.id !== id)
  if (other) throw new Fault('bad_input', `the terms expected to be of one sale, got ${id} and ${other.terms.id}`)
  if (access.mode === 'allowlist' && !admitted)
    throw new Fault('bad_input', 'the terms have an allowlist: a ledger expected its file, got none')
  return { ...accountsOf(first), versions: inOrder, admitted: access.mode === 'allowlist' ? admitted : undefined }
}

/** @returns the accounts of the sale by one version of its terms */
export function accountsOf(first: TermsVersion): SaleAccounts {
  const { authority, id, treasury, assets } = first.terms
  return {
    first,
    watched: assets.map(({ symbol, mint }) => ({
      asset: symbol,
      address: mint === undefined ? treasury : associatedTokenAddress(treasury, mint),
    })),
    noticeRef: noticeRef(presaleRef(authority, id)),
  }
}

function listed(versions: readonly TermsVersion[]): string {
  return versions.map(({ terms }) => terms.version).join(', ')
}
