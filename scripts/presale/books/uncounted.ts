/**
 * Money that the treasury holds and no ledger counts: unlisted tokens, wrapped SOL, listed tokens in accounts of their own, and SOL of a
 * sale that does not take it.
 *
 * A transfer to a token account that exists names neither the treasury nor the sale, so that no list of the sale's transactions has it.
 * The balances are those of now, whatever the ledger's last slot; they change nothing about its rows.
 */
import { Fault } from '../../../src/runtime/failure.ts'
import { formatAmount } from '../../../src/events/values/amount.ts'
import { programs } from '../../../src/worker/chains/solana/programs.ts'
import { accountsOfOwner } from '../../../src/worker/drivers/solana/order/heldTokens.ts'
import { counts } from '../../../src/runtime/replay/verdict.ts'
import type { LedgerState } from '../../../src/worker/ledger/ledgerState.ts'
import type { LedgerSale } from '../../../src/worker/ledger/ledgerSale.ts'
import { accounts, readAnswer } from '../../../src/worker/rpc/answers.ts'
import type { Node } from '../node.ts'

/** `units`: base units, decimal text. `mint`: null for SOL */
type Uncounted = { mint: string | null; account: string; units: string }

/** `why`: the node did not tell them. */
export type UncountedTokens = { held: Uncounted[] } | { why: string }

const wrappedSol = 'So11111111111111111111111111111111111111112'

/** @param slot the newest slot of the ledger, which the node must have. @returns balances above 0, by mint and account */
export async function uncountedTokens(
  { call }: Pick<Node, 'call'>,
  sale: LedgerSale,
  slot: number,
): Promise<UncountedTokens> {
  const { treasury } = sale.first.terms
  const watched = new Set(sale.watched.map(({ address }) => address))
  const held: Uncounted[] = []
  try {
    if (!watched.has(treasury)) {
      const config = { encoding: 'base64', commitment: 'finalized', minContextSlot: slot }
      const answer = await call('getMultipleAccounts', [[treasury], config])
      const [account] = readAnswer(accounts, answer, 'getMultipleAccounts').value
      if (account && account.lamports > 0) held.push({ mint: null, account: treasury, units: String(account.lamports) })
    }
    for (const programId of [programs.token, programs.token2022]) {
      const config = { encoding: 'jsonParsed', commitment: 'finalized', minContextSlot: slot }
      const answer = await call('getTokenAccountsByOwner', [treasury, { programId }, config])
      for (const { pubkey, account } of readAnswer(accountsOfOwner, answer, 'getTokenAccountsByOwner').value) {
        const { mint, owner, tokenAmount } = account.data.parsed.info
        if (owner !== treasury || watched.has(pubkey) || tokenAmount.amount === '0') continue
        held.push({ mint, account: pubkey, units: tokenAmount.amount })
      }
    }
  } catch (cause) {
    // The ledger is proved without them
    if (!(cause instanceof Fault)) throw cause
    return { why: cause.message }
  }
  return { held: held.sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1)) }
}

function placeOf({ mint, account }: Uncounted): string {
  return `${mint} ${account}`
}

/** @returns the balances for programs, null where they are not known */
export function uncountedJson(tokens: UncountedTokens): Uncounted[] | null {
  return 'held' in tokens ? tokens.held : null
}

/** @returns accounts whose balance has a line */
export function uncountedAccounts(tokens: UncountedTokens): Set<string> {
  return new Set('held' in tokens ? tokens.held.map(({ account }) => account) : [])
}

/** @returns a note for each balance, a line each, with the newest transaction of the sale by which it came */
export function uncountedText(
  { first: { terms } }: LedgerSale,
  tokens: UncountedTokens,
  strays: LedgerState['strays'],
): string {
  if ('why' in tokens) return `  ! tokens of the treasury beside the sale’s accounts are not known: ${tokens.why}\n`
  const nameOf = (mint: string) => {
    const own = [...terms.assets, terms.token].find(one => one.mint === mint)?.symbol
    return own ?? (mint === wrappedSol ? 'wrapped SOL' : 'unlisted token')
  }
  return tokens.held
    .map(({ mint, account, units }) => {
      if (mint === null)
        return `  ! the treasury holds ${formatAmount(units, 9)} SOL, which the sale does not take: the ledger does not count it\n`
      return `  ! the treasury holds ${units} base units of ${nameOf(mint)} ${mint} in ${account}: the ledger does not count them${cameText(account, strays)}\n`
    })
    .join('')
}

function cameText(account: string, strays: LedgerState['strays']): string {
  const own = strays.filter(stray => stray.account === account)
  const newest = own.at(-1)
  if (!newest) return ''
  return `; came by ${newest.signature}${own.length === 1 ? '' : ` and ${counts(own.length - 1, 'other')}`}`
}
