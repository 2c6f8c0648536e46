/** The sale's notices as the chain has them. The newest valid number comes from here, never from a journal alone. */
import { type Notice, noticeArgument, type NoticeBody } from '../../../src/events/sale/payments/operatorMemos.ts'
import { emptyBoard, type NoticeBoard, pinNotice } from '../../../src/events/sale/notices/notices.ts'
import { clockSysvar } from '../../../src/worker/chains/solana/programs.ts'
import type { LedgerSale } from '../../../src/worker/ledger/ledgerSale.ts'
import { saleHistory, scanNotices } from '../../../src/worker/ledger/saleHistory.ts'
import { readClock } from '../../../src/worker/rpc/accountData.ts'
import { accounts, readAnswer } from '../../../src/worker/rpc/answers.ts'
import type { Node } from '../node.ts'
import { verify } from '../verify.ts'

/** A notice and the transaction that carries it. */
export type SignedNotice = { notice: Notice; signature: string; slot: number }

/** @returns verb and argument of a notice: `pause`, `result success` */
export function noticeText(body: NoticeBody): string {
  const argument = argumentText(body)
  return argument === undefined ? body.verb : `${body.verb} ${argument}`
}

function argumentText(body: NoticeBody): string | undefined {
  const argument = noticeArgument(body)
  return argument === '-' ? undefined : argument
}

/** @returns two lines of each notice, in columns: number, verb, slot and argument; and its signature */
export function noticeLines(notices: readonly SignedNotice[]): string[] {
  const widest = (values: readonly (string | number)[]) => Math.max(...values.map(value => String(value).length))
  const numbers = Math.max(3, widest(notices.map(({ notice }) => notice.seq)))
  const slots = widest(notices.map(({ slot }) => slot))
  return notices.map(({ notice, signature, slot }) => {
    const place = `${String(notice.seq).padStart(numbers)}  ${notice.verb.padEnd(10)}  slot ${String(slot).padStart(slots)}`
    const argument = argumentText(notice)
    return `    ${place}${argument === undefined ? '' : `  ${argument}`}\n    ${' '.repeat(numbers)}  ${signature}`
  })
}

/**
 * Final notices up to a slot. `seconds`: chain time there, Unix seconds; `latest`: the latest that a node told. `ignored`: out of turn.
 */
export type SaleNotices = {
  slot: number
  seconds: number
  latest: number
  board: NoticeBoard
  counted: SignedNotice[]
  ignored: SignedNotice[]
}

/**
 * @param atLeast a slot that the reading must include
 * @throws Fault as `saleHistory`
 */
export async function readSaleNotices({ call }: Node, sale: LedgerSale, atLeast = 0): Promise<SaleNotices> {
  const config = { encoding: 'base64', commitment: 'finalized', minContextSlot: atLeast }
  const asked = await call('getMultipleAccounts', [[clockSysvar], config])
  const { context, value } = readAnswer(accounts, asked, 'getMultipleAccounts')
  const [counted, ignored]: [SignedNotice[], SignedNotice[]] = [[], []]
  let board = emptyBoard()
  const scan = await scanNotices(call, sale, context.slot)
  for await (const { notice, signature, slot } of saleHistory(call, sale, scan, { verify })) {
    if (!notice) continue
    const next = pinNotice(board, notice)
    ;(next.seq === board.seq ? ignored : counted).push({ notice, signature, slot })
    board = next
  }
  const seconds = readClock(value[0]) / 1000
  return { slot: context.slot, seconds, latest: seconds, board, counted, ignored }
}

/**
 * @param slot the newest slot that counts, which the node must have
 * @returns the hash of the terms that the first final notice announces; undefined before. Reads no further than that notice
 * @throws Fault as `saleHistory`
 */
export async function firstAnnounced({ call }: Node, sale: LedgerSale, slot: number): Promise<string | undefined> {
  let board = emptyBoard()
  for await (const { notice } of saleHistory(call, sale, await scanNotices(call, sale, slot), { verify, ahead: 1 })) {
    if (notice) board = pinNotice(board, notice)
    if (board.terms !== undefined) return board.terms
  }
  return undefined
}
