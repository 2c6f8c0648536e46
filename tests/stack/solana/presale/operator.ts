import { base58, canonicalJson, hex, sha256 } from '../bytes.ts'
import type { Chain } from '../chain.ts'
import type { Keypair } from '../keys.ts'
import { memo, transfer } from '../programs.ts'
import { readTokenAccount } from '../tokens.ts'
import { curveOf } from './curve.ts'
import { type Evaluation, evaluate, outcomeOf } from './evaluate.ts'
import { type Marks, type Notice, noticeMemo } from './marks.ts'
import type { Watched } from './payments.ts'
import type { Terms } from './terms.ts'

/** The sale as its operator knows it. `allowed`: its allowlist, if it has one. */
export type Sale = {
  terms: Terms
  termsHash: string
  marks: Marks
  watched: Watched
  authority: Keypair
  allowed?: string[]
  /** other terms that may be announced, by hash */
  later?: Record<string, Terms>
}

/** `arg` is absent in a chain kept by an older stack, and for verbs without one. */
type PublishedNotice = { verb: string; signature: string; arg?: string }

/** Publications of the operator so far; plain JSON, persisted. */
export type Published = {
  nextSeq: number
  /** text of the newest checkpoint file, or null before the first */
  checkpoint: string | null
  /** slot up to which the newest checkpoint judged */
  slot: number
  /** every notice so far, the newest last; absent in a chain kept by an older stack, which then publishes no list */
  notices?: PublishedNotice[]
  /** text of the newest signed list of notices */
  list?: string
}

export type Operator = {
  /** sends a notice with the next number; returns its signature */
  notice(verb: string, arg?: string): string
  /**
   * Judges all final payments, signs a sale checkpoint, publishes its file and its notice.
   *
   * @returns the new file's text
   */
  checkpoint(): string
  /** sends the notices again that vanished in a fork, with their numbers */
  resend(): void
  /** signs a sale checkpoint that declares everything sold, until the next one; returns its text */
  sellOut(): string
  /** whether payments became final since the newest checkpoint */
  hasNews(): boolean
  /** judges all final payments */
  evaluate(): Evaluation
  readonly published: Published
}

export function createOperator(chain: Chain, sale: Sale, kept?: Published): Operator {
  const published: Published = kept ?? { nextSeq: 1, checkpoint: null, slot: 0, notices: [] }
  const { authority, watched, marks } = sale

  const notice = (verb: string, arg = '-'): string => {
    const signature = send({ seq: published.nextSeq, verb, arg })
    published.notices?.push({ verb, signature, arg })
    published.nextSeq++
    publishList()
    return signature
  }
  const send = (notice: Notice): string => {
    const self = authority.address
    return chain.run([memo(noticeMemo(notice)), transfer(self, self, 0n, [marks.notice])], [authority])
  }
  const publishList = () => {
    if (published.notices) published.list = signedList(published.nextSeq - 1, inForce(published.notices))
  }
  const signedList = (seq: number, signatures: string[]): string => {
    const { time } = chain.blocks.tip()
    const body = { format: 'mai-presale-notices/1', presale: marks.presale, seq, time, signatures }
    const signed = Buffer.concat([Buffer.from('mai1/notices\0'), Buffer.from(canonicalJson(body))])
    return canonicalJson({ ...body, sig: base58(authority.sign(signed)) })
  }
  const judged = () => {
    const { slot } = chain.blocks.seen('finalized')
    return evaluate(
      chain.ledger.all().filter(record => record.slot <= slot),
      sale,
    )
  }
  const publish = (instead: Partial<Evaluation> = {}): string => {
    const block = chain.blocks.seen('finalized')
    const found = { ...judged(), ...instead }
    const { raised, pos, tokens, orders, buyers, ledgerHash } = found
    const refundsOwed = { ...found.refundsOwed }
    if (outcomeOf(found, block.time) === 'failed')
      for (const [asset, units] of Object.entries(found.acceptedUnits))
        refundsOwed[asset] = (refundsOwed[asset] ?? 0n) + units
    const balances = watched.accounts.map(({ asset, address }) => {
      const account = chain.accounts.at(address, block)
      return [asset, String(asset === 'SOL' ? (account?.lamports ?? 0n) : (readTokenAccount(account)?.amount ?? 0n))]
    })
    const body = {
      format: 'mai-presale-checkpoint/1',
      presale: marks.presale,
      termsHash: sale.termsHash,
      slot: block.slot,
      time: block.time,
      balances: Object.fromEntries(balances),
      raised: String(raised),
      pos: String(pos),
      tokens: String(tokens),
      orders,
      buyers,
      refundsOwed: Object.fromEntries(Object.entries(refundsOwed).map(([asset, units]) => [asset, String(units)])),
      ledgerHash,
    }
    const signed = Buffer.concat([Buffer.from('mai1/checkpoint\0'), Buffer.from(canonicalJson(body))])
    const text = canonicalJson({ ...body, sig: base58(authority.sign(signed)) })
    published.checkpoint = text
    published.slot = block.slot
    notice('checkpoint', hex(sha256(text)))
    return text
  }
  return {
    published,
    notice,
    evaluate: judged,
    hasNews() {
      const { slot } = chain.blocks.seen('finalized')
      return watched.accounts.some(({ address }) =>
        chain.ledger.mentioning(address).some(record => record.slot > published.slot && record.slot <= slot),
      )
    },
    checkpoint: () => publish(),
    resend() {
      const lost = (published.notices ?? []).flatMap((notice, place) =>
        chain.ledger.get(notice.signature) ? [] : [{ notice, seq: place + 1 }],
      )
      for (const { notice, seq } of lost) notice.signature = send({ seq, verb: notice.verb, arg: notice.arg ?? '-' })
      if (lost.length > 0) publishList()
    },
    sellOut() {
      const { hardCap, tokens } = curveOf(sale.terms)
      return publish({ raised: hardCap, pos: hardCap, tokens: tokens(0n, hardCap) })
    },
  }
}

/** All terms ever published, the newest two checkpoints, and the newest of each switch. */
function inForce(notices: PublishedNotice[]): string[] {
  const newest = (verbs: string[], count: number) => notices.filter(one => verbs.includes(one.verb)).slice(-count)
  return [
    ...newest(['terms'], notices.length),
    ...newest(['checkpoint'], 2),
    ...newest(['pause', 'resume'], 1),
    ...newest(['close'], 1),
    ...newest(['result'], 1),
  ].map(({ signature }) => signature)
}
