/** The state that all notices add up to. They count 1, 2, 3 … without gaps; one out of turn is ignored and counted. */
import type { Notice } from '../payments/operatorMemos.ts'

export type NoticeBoard = {
  /** number of the last notice that counted; 0 before the first */
  seq: number
  paused: boolean
  closed: boolean
  /** hash of the newest terms, 64 hex characters; every hash ever published */
  terms?: string
  published: string[]
  /** hash of every checkpoint ever announced, 64 hex characters, the newest last */
  checkpoints: string[]
  ledger?: string
  plans: string[]
  result?: 'success' | 'failed'
  ignored: number
}

/** @returns the board before the first notice */
export function emptyBoard(): NoticeBoard {
  return { seq: 0, paused: false, closed: false, published: [], checkpoints: [], plans: [], ignored: 0 }
}

/** @returns the board after the next notice in canonical order; one out of turn only raises `ignored` */
export function pinNotice(board: NoticeBoard, notice: Notice): NoticeBoard {
  if (notice.seq !== board.seq + 1) return { ...board, ignored: board.ignored + 1 }
  const next = { ...board, seq: notice.seq }
  switch (notice.verb) {
    case 'terms':
      return { ...next, terms: notice.hash, published: [...board.published, notice.hash] }
    case 'checkpoint':
      return { ...next, checkpoints: [...board.checkpoints, notice.hash] }
    case 'ledger':
      return { ...next, ledger: notice.hash }
    case 'plan':
      return { ...next, plans: [...board.plans, notice.hash] }
    case 'pause':
      return { ...next, paused: true }
    case 'resume':
      return { ...next, paused: false }
    case 'close':
      return { ...next, closed: true }
    case 'result':
      return { ...next, result: notice.result }
  }
}
