/** Opening of a verb that pays: sale, nodes, key, the announced plan, and the state directory. */
import { Fault } from '../../../src/runtime/failure.ts'
import { parseAmount } from '../../../src/events/values/amount.ts'
import { solDecimals } from '../../../src/events/values/solana/fees.ts'
import { tranchesOf } from '../../../src/events/sale/vesting.ts'
import { refused, takeWords, type VerbArguments } from '../../../src/main/replay/verb.ts'
import type { LedgerSale } from '../../../src/worker/ledger/ledgerSale.ts'
import type { SigningKey } from '../verb.ts'
import { type Node, waitMs } from '../node.ts'
import { noticesNow } from '../operator/announce.ts'
import { publishPlans } from '../operator/published.ts'
import { checkCluster, keysIn, outIn, stateOf, workOptions } from '../operator/work.ts'
import { nodesIn, otherTermsText, saleIn } from '../saleFiles.ts'
import { openState, readState, type State } from '../state.ts'
import { stateDirectory } from '../stateDirectory.ts'
import { dateText } from '../totalsText.ts'
import { otherState, type PresaleExit, type PresaleIo, saleOptions } from '../verb.ts'
import type { HashedPlan } from './batch.ts'
import { holdPlan } from './holdPlan.ts'
import { checkNeverPaid, checkNotPaidLater, ignoredIn, ignoreOption } from './ignoredPlans.ts'
import { aloneText, claimsLeftOut } from './leftOut.ts'
import type { Limits } from './limits.ts'
import type { Paying } from './payBatch.ts'
import {
  claimsOf,
  feePayerOf,
  mostLanes,
  type Plan,
  type PlanKind,
  signersOf,
} from '../../../src/worker/services/planFile.ts'
import { rentOf } from './payees.ts'
import { wholeIn } from './plan.ts'
import { announcedPlans, checkAnnounced, newestPlan, planAt } from './plans.ts'

export const payoutOptions = {
  ...saleOptions,
  rpc2: {
    value: 'URL',
    about:
      'a second node: its notices and ledger must be the same, and it has to agree before a payment counts as not made',
  },
  keypair: { value: 'FILE|-', about: 'the paying account’s key: a file of the Solana CLI, or - for standard input' },
  payer: {
    value: 'FILE|-',
    about: 'the key that pays fees and rents, when the plan names another than the paying account',
  },
  state: workOptions.state,
  out: workOptions.out,
  plan: { value: 'FILE', about: 'the announced plan; default: the newest one' },
  lanes: { value: 'N', about: 'transactions on their way at once; default: as many as the plan has' },
  'max-sol': { value: 'SOL', about: 'stops before more SOL leaves in this run, rents and fees included' },
  'max-tokens': { value: 'AMOUNT', about: 'stops before more of a token leaves in this run, in whole tokens of each' },
  'trust-plan': { about: 'does not hold the plan against the ledger, which costs a reading of the sale; warns' },
  'ignore-plan': ignoreOption,
  'leave-out': {
    about:
      'pays a batch that fails without the payments whose account cannot receive; "plan --left-out" plans these again',
  },
  'dry-run': { about: 'simulates every batch, and sends and writes nothing; needs no key' },
  'export-unsigned': { value: 'DIR', about: 'writes each lane’s next transaction in base64, for a wallet to sign' },
} as const

/**
 * `later`: plans of its kind that were announced after it. `key`: absent when nothing is signed. `exportTo`: the folder for unsigned
 * transactions.
 */
export type Payout = {
  paying: Paying
  later: readonly HashedPlan[]
  key: SigningKey | undefined
  lanes: number
  isDry: boolean
  exportTo: string | undefined
}

/**
 * Opens a payout and closes it.
 *
 * @throws Fault `bad_input` for another key than the payer's or a plan that may not be paid, `elsewhere` for one that is not due; as `openState`
 */
export async function withPayout(
  asked: VerbArguments,
  io: PresaleIo,
  kind: PlanKind,
  run: (payout: Payout) => Promise<PresaleExit>,
): Promise<PresaleExit> {
  takeWords(asked, [])
  const isDry = asked.flags.has('dry-run')
  const [exportTo] = asked.values['export-unsigned'] ?? []
  if (isDry && exportTo !== undefined) throw refused('expected --dry-run or --export-unsigned, got both')
  const sale = saleIn(asked)
  const { node, second } = nodesIn(asked, io)
  const keys = keysIn(asked, ['keypair', 'payer'], io)
  const key = keys.get('keypair')
  for (const one of [node, ...(second ? [second] : [])]) await checkCluster(one, sale)
  const directory = stateDirectory(asked, sale, io)
  const { hashed, announced, earlier, later } = await planIn(asked, { sale, node, second, io, kind, directory })
  const feeKey = keys.get('payer')
  const isUnsigned = isDry || exportTo !== undefined
  checkKey('keypair', key, hashed.plan.payer, isUnsigned)
  if (signersOf(hashed.plan) > 1) checkKey('payer', feeKey, feePayerOf(hashed.plan), isUnsigned)
  else if (feeKey) throw refused(`the plan expected no --payer: ${hashed.plan.payer} pays its fees, got one`)
  const lanes = wholeIn(asked, 'lanes', { least: 1, most: mostLanes }) ?? hashed.plan.lanes
  const limits = limitsIn(asked, hashed.plan, await rentOf(node, hashed.plan))
  if (!asked.flags.has('trust-plan')) await holdPlan(node, sale, hashed, { earlier, second, io, directory })
  else io.err.write(`warning: plan ${hashed.hash} is not held against the ledger\n`)
  const state = stateFor(directory, sale, isDry)
  const sending = { node, journal: state.journal, wait: io.wait ?? waitMs }
  try {
    // A visitor then reads what is due to it, also where another machine announced the plan
    if (!isDry) publishPlans(outIn(asked), directory, announced)
    const leavesOut = asked.flags.has('leave-out')
    return await run({
      paying: { sale, hashed, sending, second, limits, feeKey, leavesOut },
      later,
      key,
      lanes,
      isDry,
      exportTo,
    })
  } finally {
    state.close()
  }
}

type PlanPlace = {
  sale: LedgerSale
  node: Node
  second: Node | undefined
  io: PresaleIo
  kind: PlanKind
  directory: string
}

/** @throws Fault `bad_input` unless the plan is announced and of this kind, `elsewhere` unless it is due; `rpc_lying` when the second node has other notices */
async function planIn(
  asked: VerbArguments,
  { sale, node, second, io, kind, directory }: PlanPlace,
): Promise<{ hashed: HashedPlan; announced: readonly string[] } & Record<'earlier' | 'later', readonly HashedPlan[]>> {
  const notices = await noticesNow({ node, second, sale, seen: 0 })
  const { board, seconds, slot } = notices
  // Other terms would make each plan look wrong
  const [first] = board.published
  if (first !== undefined && first !== sale.first.hash)
    throw new Fault('terms_invalid', otherTermsText(first, sale.first))
  const ignored = ignoredIn(asked, { directory, plans: board.plans, sale })
  const announced = announcedPlans(
    directory,
    board.plans.filter(hash => !ignored.has(hash)),
    sale,
  )
  const [path] = asked.values.plan ?? []
  const hashed = path === undefined ? newestPlan(announced, kind) : planAt(path, sale)
  const { plan } = hashed
  if (plan.kind !== kind) throw refused(`${path} expected a plan for ${kind}, got one for ${plan.kind}`)
  if (ignored.has(hashed.hash)) throw refused(`--ignore-plan expected another plan than ${path}, which is to be paid`)
  const at = plan.tranche === null ? 0 : (tranchesOf(sale.first.terms, 0n)[plan.tranche]?.at ?? 0)
  if (at > seconds)
    throw otherState(
      `tranche ${plan.tranche} expected to be due from ${dateText(at)}, the chain's time is ${dateText(seconds)}`,
    )
  const place = announced.findIndex(({ hash }) => hash === hashed.hash)
  const earlier = announced.slice(0, place)
  const later = announced.slice(place + 1).filter(one => one.plan.kind === kind)
  const again = new Set(claimsOf(plan))
  const rivals = earlier.filter(one => one.plan.kind === kind)
  if (!second && rivals.some(one => claimsOf(one.plan).some(claim => again.has(claim))))
    io.err.write(`warning: ${aloneText}\n`)
  const nodes = [node, ...(second ? [second] : [])]
  checkAnnounced(hashed, announced, await claimsLeftOut(nodes, sale, rivals, { slot, among: again }))
  await checkNotPaidLater(nodes, sale, hashed, { later, slot })
  const payers = [plan.payer, feePayerOf(plan)]
  await checkNeverPaid(ignored, { nodes, sale, notices, directory, known: announced, payers, io })
  return { hashed, announced: board.plans, earlier, later }
}

function checkKey(option: string, key: SigningKey | undefined, payer: string, isUnsigned: boolean): void {
  if (!key && !isUnsigned) throw refused(`expected --${option} FILE or - with the key of ${payer}, got none`)
  if (key && key.address !== payer)
    throw refused(`--${option} expected the key of the payer ${payer}, got that of ${key.address}`)
}

function limitsIn({ values }: VerbArguments, { assets }: Plan, rent: bigint): Limits {
  const amountIn = (option: 'max-sol' | 'max-tokens', decimals: number): bigint | undefined => {
    const [text] = values[option] ?? []
    if (text === undefined) return undefined
    const parsed = parseAmount(text, decimals)
    if (parsed.ok) return BigInt(parsed.units)
    throw refused(
      `--${option} expected an amount such as 12.5 with at most ${decimals} decimals, got ${text.slice(0, 40)}`,
    )
  }
  const hasTokens = Object.values(assets).some(({ mint }) => mint !== undefined)
  if (!hasTokens && values['max-tokens']) throw refused('a plan of SOL alone expected no --max-tokens, got one')
  const tokens = Object.entries(assets).flatMap(([symbol, { mint, decimals }]) => {
    const most = mint === undefined ? undefined : amountIn('max-tokens', decimals)
    return most === undefined ? [] : [[symbol, most] as const]
  })
  const [mostLamports, mostUnits] = [amountIn('max-sol', solDecimals), new Map(tokens)]
  return { mostLamports, mostUnits, lamports: 0n, units: new Map(), rent, counted: new Map() }
}

function stateFor(directory: string, sale: LedgerSale, isDry: boolean): Pick<State, 'journal' | 'close'> {
  if (!isDry) return openState(directory, stateOf(sale))
  const add = () => {
    throw new Fault('bad_input', 'a dry run expected to write nothing, got a line for the journal')
  }
  return { journal: { lines: readState(directory, stateOf(sale)), add }, close: () => undefined }
}
