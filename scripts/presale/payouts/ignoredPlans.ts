/**
 * Announced plans that have no file, of which the operator says that they were never paid.
 *
 * 1. A plan is ignored only while its file is not here: with it, the plan is read.
 * 2. Neither the journal nor any node may have a sign of its payment: a nonce account that a run made for it, or a transaction that
 *    names it and is signed by an account that pays.
 * 3. A stranger can name a plan, too: such a transaction is told, and refuses nothing.
 */
import { parsePayMemo } from '../../../src/events/sale/payments/operatorMemos.ts'
import { readEitherTokenAccount } from '../../../src/worker/rpc/sendable.ts'
import { refused, type VerbArguments } from '../../../src/main/replay/verb.ts'
import { keyMark, payRef, presaleRef } from '../../../src/worker/chains/solana/references.ts'
import type { LedgerSale } from '../../../src/worker/ledger/ledgerSale.ts'
import { listedUnder } from '../../../src/worker/ledger/saleHistory.ts'
import { claimsOf, feePayerOf, mostLanes, type Plan } from '../../../src/worker/services/planFile.ts'
import { outgoingIn } from '../books/trace.ts'
import type { Node } from '../node.ts'
import type { SaleNotices } from '../operator/saleNotices.ts'
import { stateOf } from '../operator/work.ts'
import { readState } from '../state.ts'
import { otherState, type PresaleIo } from '../verb.ts'
import { batchOf, type HashedPlan, rowsPaid } from './batch.ts'
import { paymentOf, readFinal } from './found.ts'
import { laneAddress } from './lanes.ts'
import { accountsAt, tokenProgram } from './payees.ts'
import { knownPlans, planPath } from './plans.ts'

/** Of verbs that refuse their work while the file of an announced plan is missing. */
export const ignoreOption = {
  value: 'DIGITS',
  many: true,
  about:
    'the first 16 digits of an announced plan whose file is lost, or that has none: you say that it was never paid; refused where the chain has a payment of it',
} as const

type Announced = { directory: string; plans: readonly string[]; sale: LedgerSale }

/** @returns announced hashes that `--ignore-plan` names. @throws Fault `bad_input` for another one, or a plan whose file is here */
export function ignoredIn({ values }: VerbArguments, { directory, plans, sale }: Announced): Set<string> {
  const named = values['ignore-plan'] ?? []
  return new Set(
    named.map(digits => {
      const hash = /^[0-9a-f]{16}$/.test(digits) ? plans.find(one => one.startsWith(digits)) : undefined
      if (hash === undefined)
        throw refused(`--ignore-plan expected the first 16 digits of an announced plan, got ${digits.slice(0, 20)}`)
      if (knownPlans(directory, [hash], sale).some(({ plan }) => plan))
        throw refused(`--ignore-plan expected a plan without its file, got one at ${planPath(directory, hash)}`)
      return hash
    }),
  )
}

/** `payers`: accounts that may have paid, beside the treasury and those of `known`, the other announced plans. */
type Search = {
  nodes: readonly Node[]
  sale: LedgerSale
  notices: Pick<SaleNotices, 'slot' | 'counted'>
  directory: string
  known: readonly HashedPlan[]
  payers: readonly string[]
  io: PresaleIo
}

/**
 * Looks for payments of ignored plans, and warns of each plan without one.
 *
 * @throws Fault `elsewhere` naming the sign that a plan was paid; those of the nodes
 */
export async function checkNeverPaid(ignored: ReadonlySet<string>, search: Search): Promise<void> {
  const { sale, known, io, nodes, directory } = search
  const payers = new Set([sale.first.terms.treasury, ...known.flatMap(({ plan }) => payersOf(plan)), ...search.payers])
  for (const hash of ignored) {
    const name = `of plan ${hash.slice(0, 16)}`
    const lines = readState(directory, stateOf(sale))
    const line = lines.find(one => one.plan === hash || String(one.about).endsWith(name))
    if (line) throw wasPaid(hash, `a line of the journal about it (${String(line.about ?? line.kind)})`)
    const strange = new Set<string>()
    for (const node of nodes) {
      await checkLanes(node, hash, payers)
      for (const signature of await strangersOf(node, hash, payers, search)) strange.add(signature)
    }
    const more = [...strange].map(
      signature => `; ${signature} names it, signed by no account that pays here: look at it`,
    )
    io.err.write(
      `warning: plan ${hash} is ignored, as you say that it was never paid; if it was or ever is, its claims are paid twice${more.join('')}\n`,
    )
  }
}

function payersOf(plan: Plan): string[] {
  return [plan.payer, feePayerOf(plan)]
}

/** @returns the owner of the token account that a plan for tokens would pay from, where it is one */
export async function ownerOfReserve(
  node: Node,
  { first }: LedgerSale,
  reserve: string | undefined,
): Promise<string[]> {
  if (reserve === undefined) return []
  const account = (await accountsAt(node, [reserve])).get(reserve)
  const held = readEitherTokenAccount(account, tokenProgram(first.terms))
  return held ? [held.owner] : []
}

function wasPaid(hash: string, sign: string) {
  return otherState(
    `plan ${hash} expected no payment, as --ignore-plan says, got ${sign}: put its file into the state directory`,
  )
}

/** Payments of a run whose nonce account is there may be signed, and land later. */
async function checkLanes(node: Node, hash: string, payers: ReadonlySet<string>): Promise<void> {
  const lanes = [...payers].flatMap(payer =>
    Array.from({ length: mostLanes }, (_, lane) => laneAddress({ plan: { payer }, hash }, lane)),
  )
  // A stranger can send lamports there, and no more
  for (const [address, account] of await accountsAt(node, lanes))
    if (account && account.data[0] !== '') throw wasPaid(hash, `its nonce account ${address}`)
}

/** @returns signatures of final transactions of strangers that name the plan. @throws Fault `elsewhere` for one of a payer */
async function strangersOf(
  { call }: Node,
  hash: string,
  payers: ReadonlySet<string>,
  { sale, notices: { slot, counted } }: Search,
): Promise<string[]> {
  const { authority, id } = sale.first.terms
  const mark = keyMark(presaleRef(authority, id))
  // No run pays a plan before its notice is final
  const since = counted.find(({ notice }) => 'hash' in notice && notice.hash === hash)?.slot ?? 0
  const strange: string[] = []
  const looked = new Set<string>()
  const references = Array.from({ length: mostLanes }, (_, batch) => payRef(hash, batch))
  for (const address of [...payers, ...references])
    for await (const line of listedUnder(call, address, slot)) {
      if (line.slot < since) break
      if (line.failed || looked.has(line.signature)) continue
      looked.add(line.signature)
      const read = await readFinal(call, sale, line.signature)
      const { memo = null } = read ? outgoingIn(read.transaction) : {}
      const named = memo === null ? undefined : parsePayMemo(memo)
      if (!read || named?.presale !== mark || !hash.startsWith(named.plan)) continue
      if (read.transaction.signers.some(signer => payers.has(signer)))
        throw wasPaid(hash, `payment ${line.signature} of its batch ${named.batch}`)
      strange.push(line.signature)
    }
  return strange
}

/**
 * Checks that no plan announced later paid a claim of one that is to be paid: it may have been planned while this one was ignored.
 *
 * @param later of the plan's kind
 * @throws Fault `elsewhere` naming the claim and its payment; as `paymentOf`
 */
export async function checkNotPaidLater(
  nodes: readonly Node[],
  sale: LedgerSale,
  hashed: HashedPlan,
  { later, slot }: { later: readonly HashedPlan[]; slot: number },
): Promise<void> {
  const { batches } = hashed.plan
  const batchWith = new Map(
    batches.flatMap(({ rows }, batch) => rows.flatMap(({ of }) => of.map(claim => [claim, batch] as const))),
  )
  for (const other of later) {
    if (!claimsOf(other.plan).some(claim => batchWith.has(claim))) continue
    for (const [batch, { rows }] of other.plan.batches.entries()) {
      if (!rows.some(({ of }) => of.some(claim => batchWith.has(claim)))) continue
      for (const { call } of nodes) {
        const payment = await paymentOf(call, sale, other, batch, slot)
        const paid = payment ? rowsPaid(batchOf(other.plan, batch).rows, payment.leftOut ?? []) : []
        for (const claim of paid.flatMap(({ of }) => of)) {
          const own = batchWith.get(claim)
          // A payment of its own left the claim to the later plan
          if (own === undefined || (await paymentOf(call, sale, hashed, own, slot))) continue
          throw otherState(
            `claim ${claim} expected no payment yet, got ${payment?.signature} of plan ${other.hash}, made while plan ${hashed.hash} was ignored: move the file of that one away again, and go on with --ignore-plan ${hashed.hash.slice(0, 16)}`,
          )
        }
      }
    }
  }
}
