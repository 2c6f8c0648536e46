import { createAssociatedTokenAccountIdempotentInstruction } from '@solana/spl-token'
import { PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js'
import { rentMinimum } from '../../../src/events/values/solana/rent.ts'
import { readTokenAccount } from '../../../src/worker/rpc/accountData.ts'
import { accounts, readAnswer } from '../../../src/worker/rpc/answers.ts'
import type { SigningKey } from '../verb.ts'
import { assetText } from '../totalsText.ts'
import type { PresaleExit, PresaleVerb } from '../verb.ts'
import { passCheck } from './passCheck.ts'
import { carryOut, tell, type Work, withWork, workOptions } from './work.ts'

/** `npm run presale -- init` */
export const init: PresaleVerb = {
  takes: '--terms FILE --rpc URL --keypair FILE|- [--payer FILE|-]',
  summary: 'funds the treasury to the rent minimum, and makes its token accounts',
  about: `Brings the treasury to ${rentMinimum} lamports, without which the first payments would fail, makes its token account of each
listed asset, and notes the balances of that moment in the journal. The authority signs beside the payer: only so the ledger counts
the lamports as funding and not as a payment to refund. Nothing is done twice.`,
  examples: [
    '--terms published/terms.json --rpc https://api.devnet.solana.com --keypair authority.json',
    '--terms published/terms.json --rpc URL --keypair authority.json --payer payer.json --dry-run',
  ],
  options: { ...workOptions, payer: { value: 'FILE|-', about: 'the key that pays; default: the authority’s' } },
  run: (asked, io) => withWork(asked, io, initialise, { keyOptions: ['payer'] }),
}

async function initialise(work: Work): Promise<PresaleExit> {
  await passCheck(work, { reserve: undefined, strict: false, acceptWarnings: true })
  const before = await watchedNow(work, 'confirmed')
  const draft = draftOf(work, before)
  const outcome = draft ? await carryOut(work, draft.draft, draft.keys) : 'unchanged'
  if (outcome === 'simulated' || outcome === 'exported') {
    tell(work, { outcome }, `${outcome}: nothing was sent`)
    return 0
  }
  const baseline = await baselineNow(work)
  const { terms } = work.sale.first
  const text = Object.entries(baseline.balances).map(([asset, units]) => assetText(terms, asset, BigInt(units)))
  const sent = typeof outcome === 'string' ? { outcome } : { outcome: 'sent', ...outcome }
  const title = outcome === 'unchanged' ? 'the treasury was ready: nothing was sent' : 'the treasury is ready'
  tell(work, { ...sent, baseline }, `${title}; baseline at slot ${baseline.slot}: ${text.join(', ')}`)
  return 0
}

/** Accounts of the treasury; `units` is undefined for one that does not exist. */
type Watched = {
  slot: number
  accounts: { asset: string; mint: string | undefined; address: string; units: bigint | undefined }[]
}

async function watchedNow({ node, sale, seen }: Work, commitment: 'confirmed' | 'finalized'): Promise<Watched> {
  const { assets } = sale.first.terms
  const config = { encoding: 'base64', commitment, minContextSlot: seen }
  const asked = await node.call('getMultipleAccounts', [sale.watched.map(({ address }) => address), config])
  const { context, value } = readAnswer(accounts, asked, 'getMultipleAccounts')
  const found = sale.watched.map(({ asset, address }, at) => {
    const mint = assets.find(({ symbol }) => symbol === asset)?.mint
    const account = value[at]
    const units =
      mint === undefined
        ? account && BigInt(account.lamports)
        : readTokenAccount(account, `the treasury’s account of ${asset}`)?.amount
    return { asset, mint, address, units: units ?? undefined }
  })
  return { slot: context.slot, accounts: found }
}

/** @returns undefined when the treasury lacks nothing */
function draftOf(work: Work, watched: Watched) {
  const { authority: address, treasury } = work.sale.first.terms
  const payerKey = work.keys.get('payer') ?? work.authority
  const payer = new PublicKey(payerKey?.address ?? address)
  const owner = new PublicKey(treasury)
  const made = watched.accounts
    .filter(({ mint, units }) => mint !== undefined && units === undefined)
    .map(one =>
      createAssociatedTokenAccountIdempotentInstruction(
        payer,
        new PublicKey(one.address),
        owner,
        new PublicKey(one.mint ?? ''),
      ),
    )
  const funding = fundingOf(watched, { payer, owner, authority: new PublicKey(address) })
  const instructions = [...funding, ...made]
  if (instructions.length === 0) return undefined
  const signers = [payerKey, ...(funding.length > 0 ? [work.authority] : [])]
  const keys = [...new Map(signers.flatMap(key => (key ? [[key.address, key] as const] : []))).values()]
  return { draft: { about: 'init', payer: payer.toBase58(), instructions }, keys: keys satisfies SigningKey[] }
}

/** The authority’s signature makes it funding. A sale without a native asset needs no lamports in its treasury. */
function fundingOf(
  { accounts: watched }: Watched,
  { payer, owner, authority }: { payer: PublicKey; owner: PublicKey; authority: PublicKey },
): TransactionInstruction[] {
  const native = watched.find(({ mint }) => mint === undefined)
  const lacking = native ? rentMinimum - (native.units ?? 0n) : 0n
  if (lacking <= 0n) return []
  const transfer = SystemProgram.transfer({ fromPubkey: payer, toPubkey: owner, lamports: lacking })
  transfer.keys.push({ pubkey: authority, isSigner: true, isWritable: false })
  return [transfer]
}

type Baseline = { slot: number; balances: Record<string, string> }

/** @returns the recorded baseline; recorded now when it is the first time */
async function baselineNow(work: Work): Promise<Baseline> {
  const { journal } = work.sending
  const known = journal.lines.find(({ kind }) => kind === 'baseline')
  if (known) return { slot: Number(known.slot), balances: known.balances as Record<string, string> }
  const { slot, accounts: found } = await watchedNow(work, 'finalized')
  const baseline = { slot, balances: Object.fromEntries(found.map(({ asset, units }) => [asset, String(units ?? 0n)])) }
  journal.add({ kind: 'baseline', ...baseline })
  return baseline
}
