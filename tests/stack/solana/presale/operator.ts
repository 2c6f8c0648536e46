import { base58, canonicalJson, hex, sha256 } from '../bytes.ts'
import type { Chain } from '../chain.ts'
import type { Keypair } from '../keys.ts'
import { memo, transfer } from '../programs.ts'
import { readTokenAccount } from '../tokens.ts'
import { curveOf } from './curve.ts'
import { type Evaluation, evaluate } from './evaluate.ts'
import { type Marks, noticeMemo } from './marks.ts'
import type { Watched } from './payments.ts'
import type { Terms } from './terms.ts'

/** The sale as its operator knows it. */
export type Sale = { terms: Terms; termsHash: string; marks: Marks; watched: Watched; authority: Keypair }

/** Publications of the operator so far; plain JSON, persisted. */
export type Published = {
  nextSeq: number
  /** text of the newest checkpoint file, or null before the first */
  checkpoint: string | null
  /** slot up to which the newest checkpoint judged */
  slot: number
  /** every notice so far, the newest last; absent in a chain kept by an older stack, which then publishes no list */
  notices?: { verb: string; signature: string }[]
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
    const self = authority.address
    const text = noticeMemo({ seq: published.nextSeq, verb, arg })
    const signature = chain.run([memo(text), transfer(self, self, 0n, [marks.notice])], [authority])
    published.notices?.push({ verb, signature })
    if (published.notices) published.list = signedList(published.nextSeq, inForce(published.notices))
    published.nextSeq++
    return signature
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
    const { raised, pos, tokens, orders, buyers, refundsOwed, ledgerHash } = { ...judged(), ...instead }
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
    sellOut() {
      const { hardCap, tokens } = curveOf(sale.terms)
      return publish({ raised: hardCap, pos: hardCap, tokens: tokens(0n, hardCap) })
    },
  }
}

/** All terms ever published, the newest two checkpoints, and the newest of each switch. */
function inForce(notices: { verb: string; signature: string }[]): string[] {
  const newest = (verbs: string[], count: number) => notices.filter(one => verbs.includes(one.verb)).slice(-count)
  return [
    ...newest(['terms'], notices.length),
    ...newest(['checkpoint'], 2),
    ...newest(['pause', 'resume'], 1),
    ...newest(['close'], 1),
    ...newest(['result'], 1),
  ].map(({ signature }) => signature)
}
