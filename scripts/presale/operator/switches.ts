/** Notices that switch the sale: pause, resume, close. */
import type { NoticeBoard } from '../../../src/events/sale/notices/notices.ts'
import { otherState, type PresaleExit, type PresaleVerb } from '../verb.ts'
import { announce, noticesNow, tellNotice, tellUnchanged } from './announce.ts'
import { type Work, withWork, workOptions } from './work.ts'

type Switch = { verb: 'pause' | 'resume' | 'close'; done: string; isDone: (board: NoticeBoard) => boolean }

/** `npm run presale -- pause` */
export const pause = switchVerb(
  { verb: 'pause', done: 'the sale is paused', isDone: ({ paused }) => paused },
  'announces a pause: payments from then on are refunded',
  `Pages stop selling as soon as they read the notice. A payment that lands after it is not accepted, and owed back.`,
)

/** `npm run presale -- resume` */
export const resume = switchVerb(
  { verb: 'resume', done: 'the sale is not paused', isDone: ({ paused }) => !paused },
  'announces the end of a pause',
  `Payments that land after the notice are judged by the terms again.`,
)

/** `npm run presale -- close` */
export const close = switchVerb(
  { verb: 'close', done: 'the sale is closed', isDone: ({ closed }) => closed },
  'announces the end of the sale, for ever',
  `Ends the sale before its time; no notice opens it again. With the soft cap reached it has succeeded, else every accepted amount is
owed back.`,
)

function switchVerb(one: Switch, summary: string, effect: string): PresaleVerb {
  return {
    takes: '--terms FILE --rpc URL --keypair FILE|-',
    summary,
    about: `${effect}
The notice gets the next number of the chain. Nothing is sent when the sale is in that state already.`,
    examples: [
      '--terms published/terms.json --rpc https://api.devnet.solana.com --keypair authority.json',
      '--terms published/terms.json --rpc URL --export-unsigned notice.txt',
    ],
    options: workOptions,
    run: (asked, io) => withWork(asked, io, work => turn(work, one)),
  }
}

async function turn(work: Work, { verb, done, isDone }: Switch): Promise<PresaleExit> {
  const notices = await noticesNow(work)
  const { board } = notices
  if (board.terms === undefined) throw otherState(`${verb} expected published terms, got none: run "publish" first`)
  if (board.closed && verb !== 'close')
    throw otherState(`${verb} expected an open sale, got one that was closed for ever`)
  if (isDone(board)) return tellUnchanged(work, notices, `${done}: nothing was sent`)
  return tellNotice(work, await announce(work, notices, { verb }), done)
}
