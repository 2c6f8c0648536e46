import { refused, type VerbArguments } from '../../../src/main/replay/verb.ts'
import { totalsOf } from '../../../src/worker/ledger/ledger.ts'
import { otherState, type PresaleExit, type PresaleVerb } from '../verb.ts'
import { announce, noticesNow, tellNotice, tellUnchanged } from './announce.ts'
import { ledgerNow } from './checkpoint.ts'
import type { SaleNotices } from './saleNotices.ts'
import { type Work, withWork, workOptions } from './work.ts'

type Result = 'success' | 'failed'

/** `npm run presale -- result` */
export const result: PresaleVerb = {
  takes: 'success|failed --terms FILE --rpc URL --keypair FILE|-',
  summary: 'announces the outcome of a sale that is over, with the hash of its ledger',
  about: `Computes the ledger and refuses an outcome that it does not have, and any before the end. Announces the ledger's hash in one
notice and the outcome in the next: after the first, the ledger's row before it has this hash.`,
  examples: [
    'success --terms published/terms.json --rpc https://api.devnet.solana.com --keypair authority.json',
    'failed --terms published/terms.json --rpc URL --keypair - --json',
  ],
  options: workOptions,
  readsLedger: true,
  run: (asked, io) => withWork(asked, io, work => announceResult(work, asked), { words: ['success or failed'] }),
}

async function announceResult(work: Work, { words }: VerbArguments): Promise<PresaleExit> {
  const wanted = resultIn(words[0] ?? '')
  const notices = await noticesNow(work)
  const { board } = notices
  if (board.result !== undefined && board.result !== wanted)
    throw otherState(`result expected ${board.result}, as announced before, got ${wanted}`)
  const hashes = new Set<string>()
  const read = await ledgerNow(work, rows => rows.forEach(({ row }) => hashes.add(row.h)))
  const { outcome, ledgerHash } = totalsOf(work.sale, read.state, read.seconds)
  if (outcome === 'open') throw otherState('result expected a sale that is over, got one that is open')
  if (outcome !== wanted) throw otherState(`result expected ${outcome}, as the ledger has it, got ${wanted}`)
  if (board.result !== undefined)
    return tellUnchanged(work, notices, `the result is ${wanted}, as announced: nothing was sent`)
  return tellResult(work, notices, { wanted, ledgerHash, isKnown: hashes.has(board.ledger ?? '') })
}

/** `isKnown`: the announced ledger hash is one of this ledger, so that only the result is missing. */
async function tellResult(
  work: Work,
  before: SaleNotices,
  { wanted, ledgerHash, isKnown }: { wanted: Result; ledgerHash: string; isKnown: boolean },
): Promise<PresaleExit> {
  let notices = before
  let files: readonly string[] = []
  if (!isKnown) {
    const announced = await announce(work, notices, { verb: 'ledger', hash: ledgerHash })
    if (typeof announced.outcome === 'string') return tellNotice(work, announced)
    ;({ notices, files } = announced)
  }
  const announced = await announce(work, notices, { verb: 'result', result: wanted })
  return tellNotice(work, announced, `the result is ${wanted}`, files)
}

function resultIn(word: string): Result {
  if (word === 'success' || word === 'failed') return word
  throw refused(`result expected success or failed, got ${word.slice(0, 20)}`)
}
