import type { EffectData } from '../../../../events/effect.ts'
import { Fault } from '../../../../runtime/failure.ts'
import { keyMark } from '../../../chains/solana/references.ts'
import { readTransaction } from '../../../chains/solana/wire.ts'
import { readTokenAccount } from '../../../rpc/accountData.ts'
import { isNewerKind } from '../../../rpc/errors.ts'
import type { SignatureLine } from '../../../rpc/answers.ts'
import { type PaidAccount, paidAccounts, payoutIn } from '../../../services/payouts.ts'
import type { Verify } from '../../../services/signatures.ts'
import type { InputOf } from '../../drive.ts'
import { newestSignatures, recordedTransaction, timeOfSlot } from '../history.ts'
import { judgeBytes, type Judged } from '../order/orderTrace.ts'
import type { Rpc } from '../rpc.ts'
import { createAccountsReader } from './accountsReader.ts'

type Sale = EffectData['chain.readPurchases']
type Purchases = InputOf<'chain.purchases'>
type Payout = NonNullable<Purchases['payouts']>[number]
type Batch = NonNullable<Purchases['batches']>[number]
/** A payout, and the batch that its transaction names. */
type Read = { payout: Payout; batches: Batch[] }

/** Most signatures requested of each account, most transactions in one reading, and most cached strangers' transactions. */
const listedLines = 1000
const payoutReads = 20
const maxStrangers = 5000

/** Accounts of an owner, and the lines under them. `own`: those of the wallet itself. */
type Listed = { accounts: PaidAccount[]; lines: SignatureLine[]; own: SignatureLine[] }

/**
 * Makes the reader of what announced plans paid to an account. Anyone can write a plan's memo, so a reading has a budget, and
 * strangers' transactions are read once, and once more when another plan was announced.
 *
 * @returns `list`, which adds the accounts that plans pay beside the wallet's usual ones, and `read`, which reads the payouts among
 *   these lines that are not known as final, and says whether more are listed than one reading takes
 */
export function createPayoutReader({ rpc, verify }: { rpc: Rpc; verify: Verify }): {
  list: (sale: Sale, others: readonly PaidAccount[]) => Promise<Listed>
  read: (sale: Sale, listed: Listed) => Promise<{ payouts: Payout[]; batches: Batch[]; isMore: boolean }>
} {
  const strangers = new Set<string>()

  const list = async ({ account, terms }: Sale, others: readonly PaidAccount[]): Promise<Listed> => {
    const accounts = [...paidAccounts(account, terms), ...(await ownedOf(account, others))]
    const addresses = accounts.map(({ address }) => address)
    const lists = await Promise.all(addresses.map(address => newestSignatures(rpc, address, listedLines)))
    return { accounts, lines: lists.flatMap(({ lines }) => lines), own: lists[addresses.indexOf(account)]?.lines ?? [] }
  }

  const read = async ({ account, presaleRef, terms, known, plans = [] }: Sale, listed: Listed) => {
    const { accounts } = listed
    const mark = keyMark(presaleRef)
    const final = new Set(known)
    // A stranger's transaction may be a payout by a plan that is announced later
    const nameOf = ({ signature }: SignatureLine) => `${account} ${signature} ${plans.length}`
    const lines = new Map(listed.lines.map(line => [line.signature, line]))
    const unread = [...lines.values()].filter(
      line => !final.has(line.signature) && !strangers.has(nameOf(line)) && mayBePayout(line, mark),
    )
    const now = unread.slice(0, payoutReads)
    const found = (await Promise.all(now.map(payoutOf))).flat()
    const batches = found.flatMap(one => one.batches)
    return { payouts: found.map(({ payout }) => payout), batches, isMore: unread.length > now.length }

    async function payoutOf(line: SignatureLine): Promise<Read[]> {
      const decoded = await signersOwn(line)
      // Not available yet: the next reading finds it
      if (decoded === 'unread') return []
      const found = decoded && payoutIn(decoded.content, accounts, { mark, treasury: terms.treasury, plans })
      if (!found) {
        if (strangers.size < maxStrangers) strangers.add(nameOf(line))
        return []
      }
      const time = decoded.time ?? line.blockTime ?? (await timeOfSlot(rpc, decoded.slot))
      if (time == null) return []
      const status = line.confirmationStatus === 'finalized' ? 'final' : 'confirmed'
      const { signature } = line
      const payout = { signature, slot: decoded.slot, paidAt: time * 1000, ...found.paid, status } as const
      return [{ payout, batches: found.batch ? [{ signature, ...found.batch }] : [] }]
    }
  }

  return { list, read }

  /** @returns those that are the owner's: a plan alone does not say whose an account is */
  async function ownedOf(owner: string, others: readonly PaidAccount[]): Promise<readonly PaidAccount[]> {
    if (others.length === 0) return others
    const { found } = await createAccountsReader(rpc)(others.map(({ address }) => address))
    return others.filter((_, at) => readTokenAccount(found[at], 'an account of a plan')?.owner === owner)
  }

  /** @returns the transaction when all of its signers signed it; undefined for one that can be no batch */
  async function signersOwn({ signature }: SignatureLine) {
    try {
      const landed = await recordedTransaction(rpc, signature, 'confirmed')
      if (!landed) return 'unread'
      if (landed.err !== null) return undefined
      const { accountKeys, header } = readTransaction(landed.bytes)
      const judge = (account: string) => judgeBytes(landed.bytes, { signature, account, verify })
      const judged = await Promise.all(accountKeys.slice(0, header.signers).map(judge))
      const [first] = judged
      if (!first || judged.some(one => typeof one === 'string')) return 'unread'
      const { decoded: content } = first as Judged
      return content && { content, slot: landed.slot, time: landed.time }
    } catch (cause) {
      if (isNewerKind(cause)) return undefined
      if (cause instanceof Fault && cause.code === 'bad_response') return 'unread'
      throw cause
    }
  }
}

/** The list's memo is a preview; a line without one is no payout, as every batch has a memo. */
function mayBePayout({ memo, err }: SignatureLine, mark: string): boolean {
  return (err ?? null) === null && (memo ?? '').includes(`maid1:${mark}:`)
}
