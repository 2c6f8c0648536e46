import type { VerbArguments } from '../../../src/main/replay/verb.ts'
import type { TermsVersion } from '../../../src/worker/ledger/ledgerSale.ts'
import { reserveIn } from '../check.ts'
import { checkVersions } from '../saleFiles.ts'
import { dateText } from '../totalsText.ts'
import { otherState, type PresaleExit, type PresaleVerb } from '../verb.ts'
import { announce, noticesNow, tellNotice, tellUnchanged } from './announce.ts'
import { announceCheckpoint } from './checkpoint.ts'
import { passCheck } from './passCheck.ts'
import type { SaleNotices } from './saleNotices.ts'
import { type Work, withWork, workOptions } from './work.ts'

/** `npm run presale -- publish` */
export const publish: PresaleVerb = {
  takes: '--terms FILE --rpc URL --keypair FILE|- [--reserve ADDRESS]',
  summary: 'announces the terms, or a later version of them, and signs a checkpoint',
  about: `Checks as "check" does, announces the newest of the given versions of the terms, and signs a checkpoint, whose balances every
visitor subtracts. A warning of the check stops it unless --accept-warnings is given; a token with a mint needs --reserve with enough
tokens. Of a later version only version, end, rates and legal documents may differ, and it comes before the sale's end. Writes
notices.json, checkpoint.json, and terms-HASH.json for each version: the ledger needs every version that was ever announced.`,
  examples: [
    '--terms published/terms.json --rpc https://api.devnet.solana.com --keypair authority.json --accept-warnings',
    '--terms published/terms-1.json --terms published/terms-2.json --rpc URL --keypair authority.json --reserve RESERVE_TOKEN_ACCOUNT',
  ],
  options: {
    ...workOptions,
    reserve: { value: 'ADDRESS', about: 'the token account that holds the tokens for sale' },
    'accept-warnings': { about: 'publishes although the check warns' },
  },
  readsLedger: true,
  run: (asked, io) => withWork(asked, io, work => publishNewest(work, asked)),
}

async function publishNewest(work: Work, asked: VerbArguments): Promise<PresaleExit> {
  const newest = work.sale.versions.at(-1) as TermsVersion
  let notices = await noticesNow(work)
  let files: readonly string[] = []
  const about = `version ${newest.terms.version}`
  if (notices.board.terms !== newest.hash) {
    checkFollows(work, newest, notices)
    const acceptWarnings = asked.flags.has('accept-warnings')
    await passCheck(work, { reserve: reserveIn(asked), strict: true, acceptWarnings })
    const announced = await announce(work, notices, { verb: 'terms', hash: newest.hash })
    if (typeof announced.outcome === 'string') return tellNotice(work, announced)
    ;({ notices, files } = announced)
  }
  const done = `${about} was announced, with a checkpoint: nothing was sent`
  const last = notices.counted.filter(({ notice }) => notice.verb === 'checkpoint' || notice.verb === 'terms').at(-1)
  const announced = last?.notice.verb === 'terms' ? await announceCheckpoint(work, notices) : undefined
  return announced ? tellNotice(work, announced, `${about} is announced`, files) : tellUnchanged(work, notices, done)
}

/**
 * The check holds each version against the one before it, and the ledger of the checkpoint needs all of them.
 *
 * After the end money may be on its way back: no later end makes the sale go on.
 *
 * @throws Fault unless the newest follows the terms in force, and every announced version is among the given ones
 */
function checkFollows({ sale }: Work, newest: TermsVersion, { board, latest }: SaleNotices): void {
  const { version } = newest.terms
  if (board.closed) throw otherState(`version ${version} expected an open sale, got one that was closed for ever`)
  if (board.published.includes(newest.hash))
    throw otherState(
      `version ${version} expected to be newer than the terms in force (${board.terms}), got an older one`,
    )
  if (board.terms === undefined) {
    if (version !== 1)
      throw otherState(`the first announcement expected version 1 alone, got version ${version} with it`)
    return
  }
  if (board.result !== undefined)
    throw otherState(
      `version ${version} expected a sale without a result, got one that is announced as ${board.result}`,
    )
  checkVersions(sale, board.published)
  const end = sale.versions.find(({ hash }) => hash === board.terms)?.terms.end ?? 0
  if (latest >= end)
    throw otherState(
      `version ${version} expected a sale before its end on ${dateText(end)}, the chain’s time is ${dateText(latest)}`,
    )
}
