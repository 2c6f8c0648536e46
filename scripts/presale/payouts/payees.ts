/**
 * Accounts that payments go to, as the chain has them now.
 *
 * 1. SOL goes to its funding signer; tokens go to the account they came from while it is open and its owner's, otherwise to its
 *    owner's associated account.
 * 2. A payment without a known payer goes only to a payee that a person approved.
 * 3. An account never pays itself: such a claim is left apart.
 * 4. Claims that cannot be paid now keep their names and amounts, and the reason.
 */
import { isRecord } from '../../../src/runtime/json/isRecord.ts'
import { isSolanaAddress } from '../../../src/events/values/solana/address.ts'
import { decodeBase58 } from '../../../src/events/values/solana/base58.ts'
import { rentMinimum } from '../../../src/events/values/solana/rent.ts'
import type { Terms } from '../../../src/events/sale/terms/terms.ts'
import { refused } from '../../../src/main/replay/verb.ts'
import { associatedTokenAddress } from '../../../src/worker/chains/solana/ata.ts'
import { programs } from '../../../src/worker/chains/solana/programs.ts'
import { accountBytes } from '../../../src/worker/rpc/accountData.ts'
import { type AccountInfo, accounts, readAnswer } from '../../../src/worker/rpc/answers.ts'
import { splitCalls } from '../../../src/worker/rpc/calls.ts'
import { checkToken, extensionsOf, readEitherTokenAccount } from '../../../src/worker/rpc/sendable.ts'
import type { Node } from '../node.ts'
import type { RefundClaim } from './claims.ts'
import { tokenRent } from './limits.ts'
import { byOwner } from './merkle.ts'
import { notWallet } from './notWallet.ts'
import type { ApartRow, Plan } from '../../../src/worker/services/planFile.ts'

/** Claims of one asset that are paid by one transfer, or the reason for which they are not. */
export type Due = {
  asset: string
  owner: string | null
  to: string | null
  units: bigint
  of: string[]
  create: boolean
  why?: ApartRow['why']
}

/** Payees by signature of a payment without a known payer. */
export type Approvals = ReadonlyMap<string, string>

/** Statuses whose payer may be an exchange: only a person knows the payee. */
const approved: readonly string[] = ['no_memo', 'inner']

/** @throws Fault `bad_input` unless each is `SIGNATURE=PAYEE` in base58 */
export function approvalsIn(texts: readonly string[]): Approvals {
  const found = new Map<string, string>()
  for (const text of texts) {
    const [signature = '', payee = '', more] = text.split('=')
    if (decodeBase58(signature)?.length !== 64 || !isSolanaAddress(payee) || more !== undefined)
      throw refused(`--approve expected SIGNATURE=PAYEE in base58, got ${text.slice(0, 140)}`)
    if (found.has(signature)) throw refused(`--approve expected one payee of ${signature}, got two`)
    found.set(signature, payee)
  }
  return found
}

/**
 * @param claims those to be paid
 * @returns payments and what is left apart, ordered by asset, then by owner
 * @throws Fault `bad_input` when an approval is of no such payment, or its payee no wallet; those of the node
 */
export async function refundsDue(
  node: Node,
  terms: Terms,
  claims: readonly RefundClaim[],
  approvals: Approvals,
): Promise<Due[]> {
  checkApprovals(terms, claims, approvals)
  const sources = claims.flatMap(({ source }) => source?.account ?? [])
  const open = await accountsAt(node, [...new Set([...sources, ...approvals.values()])])
  checkPayees(approvals, open)
  const due = new Map<string, Due>()
  for (const claim of claims) {
    const { asset, of, units } = claim
    const payee = payeeOf(terms, claim, approvals, open)
    // An account may have been given away: a payer before has it as the associated one still
    const key = payee ? `${asset} ${payee.owner} ${payee.to}` : of
    const known = due.get(key) ?? { asset, owner: null, to: null, ...payee, units: 0n, of: [], create: false }
    due.set(key, { ...known, units: known.units + units, of: [...known.of, of] })
  }
  const all = [...due.values()]
  const there = await accountsAt(node, [...new Set(all.flatMap(({ to }) => to ?? []))])
  const judged = all.map(one => judgeRefund(terms, one, there))
  return terms.assets.flatMap(({ symbol }) => inOrder(judged.filter(({ asset }) => asset === symbol)))
}

function checkApprovals({ treasury }: Terms, claims: readonly RefundClaim[], approvals: Approvals): void {
  for (const [signature, payee] of approvals) {
    if (payee === treasury)
      throw refused(`--approve expected another payee than the treasury, which pays, got ${signature}=${payee}`)
    const claim = claims.find(one => one.signature === signature)
    if (claim && approved.includes(claim.reason)) continue
    const came = claim
      ? `one with status ${claim.reason}, which needs none`
      : 'a signature without a claim of this plan'
    throw refused(`--approve expected a payment with status ${approved.join(' or ')}, got ${came}: ${signature}`)
  }
}

/** An explorer shows a token account as the sender: no key signs for an associated account of that one. */
function checkPayees(approvals: Approvals, there: Accounts): void {
  for (const [signature, payee] of approvals) {
    const other = notWallet(payee, there.get(payee))
    if (other !== undefined)
      throw refused(`--approve expected the address of a wallet as payee of ${signature}, got ${payee}, ${other}`)
  }
}

type Accounts = ReadonlyMap<string, AccountInfo | null>

/** `to`: the account that receives, a wallet for SOL. */
type Payee = { owner: string; to: string }

/** @returns the payees that a claim may have, the account that paid first; undefined where a person names one */
export function payeesOf(terms: Terms, { asset, source, reason }: RefundClaim): readonly [Payee, Payee] | undefined {
  if (approved.includes(reason) || !source) return undefined
  const { owner, account } = source
  const associated = { owner, to: refundAccount(terms, asset, owner) }
  const isNative = mintOf(terms, asset) === undefined
  return [isNative ? associated : { owner, to: account }, associated]
}

/** @returns the account of a payee whom a person names */
export function refundAccount(terms: Terms, asset: string, owner: string): string {
  const mint = mintOf(terms, asset)
  return mint === undefined ? owner : associatedTokenAddress(owner, mint)
}

function mintOf({ assets }: Terms, asset: string): string | undefined {
  return assets.find(({ symbol }) => symbol === asset)?.mint
}

function payeeOf(terms: Terms, claim: RefundClaim, approvals: Approvals, open: Accounts): Payee | undefined {
  const payees = payeesOf(terms, claim)
  if (!payees) {
    const owner = approvals.get(claim.signature)
    return owner === undefined ? undefined : { owner, to: refundAccount(terms, claim.asset, owner) }
  }
  const [source, associated] = payees
  const mint = mintOf(terms, claim.asset)
  if (mint === undefined) return associated
  const held = readEitherTokenAccount(open.get(source.to), programs.token)
  return held?.owner === source.owner && held.mint === mint && !held.frozen ? source : associated
}

function judgeRefund(terms: Terms, due: Due, there: Accounts): Due {
  const { asset, to, owner, units } = due
  if (to === null || owner === null) return { ...due, why: 'needs_approval' }
  if (to === refundAccount(terms, asset, terms.treasury)) return { ...due, why: 'paying_account' }
  if (units < BigInt(terms.refund.minUnits[asset] ?? 0)) return { ...due, why: 'below_minimum' }
  const mint = mintOf(terms, asset)
  if (mint !== undefined) return judgeTokens(due, { mint, program: programs.token }, there)
  const lamports = BigInt(there.get(to)?.lamports ?? 0)
  return lamports + units < rentMinimum ? { ...due, why: 'unpayable' } : due
}

/** A token account that is frozen, another's or of another mint gets nothing; a missing one is created. */
function judgeTokens(due: Due, { mint, program }: { mint: string; program: string }, there: Accounts): Due {
  const account = there.get(due.to ?? '')
  if (!account || account.owner === programs.system) return { ...due, create: true }
  const held = readEitherTokenAccount(account, program)
  const isFit = held?.mint === mint && held.owner === due.owner && !held.frozen
  return isFit && !refusesTransfers(account, { hasMemo: true }) ? due : { ...due, why: 'unpayable' }
}

/**
 * @param options `hasMemo`: a memo stands before the transfer
 * @returns whether the owner of a token account made it refuse such a transfer
 * @see SPL Token-2022, `ConfidentialTransferAccount`: byte 262 allows credits that are not confidential; `MemoTransfer`: one flag
 */
export function refusesTransfers(account: AccountInfo, { hasMemo }: { hasMemo: boolean }): boolean {
  if (account.owner !== programs.token2022) return false
  return extensionsOf(accountBytes(account)).some(
    ({ type, content }) => (type === 5 && content[262] === 0) || (type === 8 && content[0] !== 0 && !hasMemo),
  )
}

/**
 * @param shares base units by owner
 * @param reserve the token account that pays
 * @returns payments of the sale's token and what is left apart, ordered by owner
 * @throws Fault `bad_input` when the sale has no mint, or one whose transfers are not as their amount; those of the node
 */
export async function tokensDue(
  node: Node,
  terms: Terms,
  shares: readonly { owner: string; of: string; units: bigint }[],
  reserve: string,
): Promise<Due[]> {
  const { symbol, decimals } = terms.token
  const mint = saleMint(terms)
  const program = tokenProgram(terms)
  const due = shares.map(({ owner, of, units }): Due => {
    return { asset: symbol, owner, to: associatedTokenAddress(owner, mint, program), units, of: [of], create: false }
  })
  const there = await accountsAt(node, [mint, ...due.flatMap(({ to }) => to ?? [])])
  const judged = due.map((one): Due => {
    if (one.units === 0n) return { ...one, why: 'zero' }
    if (one.to === reserve) return { ...one, why: 'paying_account' }
    return judgeTokens(one, { mint, program }, there)
  })
  checkToken(
    there.get(mint),
    { program, decimals },
    judged.some(({ create }) => create),
  )
  return inOrder(judged)
}

/** @returns rent of a new account of a plan's tokens, lamports: extensions of a mint make it larger. @throws Fault as `checkToken` */
export async function rentOf(node: Node, { assets }: Pick<Plan, 'assets'>): Promise<bigint> {
  const extended = Object.values(assets).find(({ program }) => program === programs.token2022)
  const { mint, program, decimals } = extended ?? {}
  if (mint === undefined || program === undefined || decimals === undefined) return tokenRent
  return checkToken((await accountsAt(node, [mint])).get(mint), { program, decimals }, false)
}

/** @throws Fault `bad_input` when the terms name none, which is frozen: no plan can ever pay the sale's token */
export function saleMint({ token: { symbol, mint } }: Terms): string {
  if (mint !== null) return mint
  throw refused(
    `the terms expected a mint of ${symbol}, got none, and once published no version may name one: pay the tokens by other means, once, by allocations.csv of "export"`,
  )
}

/** @returns base58 of the program of the sale's token */
export function tokenProgram({ token }: { token: Pick<Terms['token'], 'program'> }): string {
  return token.program === 'spl-token' ? programs.token : programs.token2022
}

function inOrder(due: readonly Due[]): Due[] {
  const known = due.flatMap(one => (one.owner === null ? [] : { ...one, owner: one.owner }))
  const text = ({ to }: Due) => to ?? ''
  const byAccount = [...known].sort((a, b) => (text(a) < text(b) ? -1 : Number(text(a) > text(b))))
  return [...byOwner(byAccount), ...due.filter(({ owner }) => owner === null)]
}

/** Accounts in one `getMultipleAccounts`. */
const mostAccounts = 100

/** @returns the accounts at a final slot each, null where there is none */
export async function accountsAt(node: Node, addresses: readonly string[]): Promise<Map<string, AccountInfo | null>> {
  const found = new Map<string, AccountInfo | null>()
  for (const some of splitCalls(addresses, mostAccounts)) {
    const asked = await node.call('getMultipleAccounts', [some, { encoding: 'base64', commitment: 'finalized' }])
    const { value } = readAnswer(accounts, withPlainLamports(asked), 'getMultipleAccounts')
    for (const [at, address] of some.entries()) found.set(address, value[at] ?? null)
  }
  return found
}

/** An exchange may hold more lamports than a double counts: beyond 2^53 - 1 they are so many, more than any comparison here needs. */
function withPlainLamports(answer: unknown): unknown {
  if (!isRecord(answer) || !Array.isArray(answer.value)) return answer
  const value = answer.value.map((account: unknown) => {
    const isHuge = isRecord(account) && typeof account.lamports === 'bigint' && account.lamports > 0n
    return isHuge ? { ...account, lamports: Number.MAX_SAFE_INTEGER } : account
  })
  return { ...answer, value }
}
