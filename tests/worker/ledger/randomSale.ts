/** Random sales with every kind of payment and notice, small enough to meet each boundary of their terms. */
import type { Terms } from '../../../src/events/sale/terms/terms.ts'
import { canonicalJson, hex, sha256 } from '../../stack/solana/bytes.ts'
import { seededKeypair } from '../../stack/solana/keys.ts'
import type { Evaluated } from '../../stack/solana/presale/evaluate.ts'
import { marksOf, noticeMemo, orderMemo } from '../../stack/solana/presale/marks.ts'
import { termsDocument } from '../../stack/solana/presale/terms.ts'
import {
  associatedAccount,
  type Instruction,
  MEMO_V1,
  memo,
  TOKEN,
  transfer,
  transferChecked,
} from '../../stack/solana/programs.ts'
import { type Dice, rollDice } from '../../simulation/runtime/dice.ts'
import { createRecordedChain, type RecordedChain } from './recordedChain.ts'

type StackTerms = ReturnType<typeof termsDocument>

const key = (name: string) => seededKeypair('random sale', name)
export const genesisHash = key('genesis').address
const authority = key('authority')
const treasury = key('treasury')
const usdc = key('usdc mint').address
const stranger = key('stranger')
const pool = key('pool').address
const buyers = Array.from({ length: 5 }, (_, at) => key(`buyer ${at}`))
const treasuryUsdc = associatedAccount(treasury.address, usdc)
const treasuryStray = associatedAccount(treasury.address, key('stray mint').address)
const usdcOf = new Map(
  [...buyers, stranger, authority].map(({ address }) => [address, associatedAccount(address, usdc)]),
)
const began = 1_800_000_000

/** A sale with its history; `documents` has every version of the terms, version 1 first. */
export type RandomSale = {
  chain: RecordedChain
  documents: { terms: Terms; hash: string }[]
  admitted: Set<string> | undefined
  evaluated: Evaluated
  watched: { asset: string; address: string }[]
}

/** @param seed names the sale with all its chance @param length how many transactions it has, about */
export function randomSale(seed: number, length: number): RandomSale {
  const dice = rollDice({}, seed)
  const terms = randomTerms(dice)
  const second = {
    ...terms,
    version: 2,
    end: terms.end + dice.between('later end', 0, 300),
    assets: rates(terms, dice),
  }
  const frozen = { ...second, version: 3, softCap: (BigInt(terms.softCap) + 1n).toString() }
  const isAnnounced = dice.chance('announced at once', 0.9)
  // Of two with one version the first announced counts
  const twin = { ...terms, assets: terms.assets.map(one => ({ ...one, creditsPerUnit: `${one.creditsPerUnit}0` })) }
  const versions = isAnnounced ? [terms, second, frozen, twin] : [terms, second, frozen]
  const hashes = versions.map(one => hex(sha256(canonicalJson(one))))
  const isAllowlist = terms.access.mode === 'allowlist'
  const admitted = isAllowlist ? new Set(buyers.slice(0, 4).map(({ address }) => address)) : undefined
  const marks = marksOf(authority.address, terms.id)
  const watched = [
    { asset: 'SOL', address: treasury.address },
    { asset: 'USDC', address: treasuryUsdc },
  ]
  const chain = createRecordedChain(genesisHash, { slot: 100, time: began - 60 })
  for (const [owner, address] of usdcOf) chain.tokens.set(address, { address, mint: usdc, owner, amount: 10n ** 15n })
  chain.tokens.set(pool, { address: pool, mint: usdc, owner: pool, amount: 10n ** 15n })
  for (const [address, mint] of [
    [treasuryUsdc, usdc],
    [treasuryStray, key('stray mint').address],
  ] as const)
    chain.tokens.set(address, { address, mint, owner: treasury.address, amount: 0n })
  const play = player({ dice, chain, hashes, marks, isAnnounced })
  play.begin()
  for (let step = 0; step < length; step += 1) play.step()
  return {
    chain,
    documents: versions.map((one, at) => ({ terms: one as Terms, hash: hashes[at] ?? '' })),
    admitted,
    watched,
    evaluated: {
      terms,
      termsHash: hashes[0] ?? '',
      marks,
      watched: { treasury: treasury.address, authority: authority.address, accounts: watched },
      later: Object.fromEntries(versions.map((one, at) => [hashes[at] ?? '', one]).slice(1)),
      ...(admitted && { allowed: [...admitted] }),
    },
  }
}

/** Prices and rates with many digits, so that a wrong rounding shows; about thirty orders fill the sale. */
function randomTerms(dice: Dice<never>): StackTerms {
  const place = { genesisHash, authority: authority.address, treasury: treasury.address, usdcMint: usdc }
  const base = termsDocument({ ...place, saleMint: key('mint').address, baseUnix: began, legalSha256: '00'.repeat(32) })
  const stages = Array.from({ length: dice.between('stages', 1, 4) }, (_, at) => {
    const price = BigInt(dice.between('price', 3, 9_999))
    const credits = price * BigInt(dice.between('capacity', 1, 400_000))
    const endsAt = dice.chance('ends', 0.4) ? { endsAt: began + 150 * (at + 1) } : {}
    return { name: `Stage ${at + 1}`, credits: credits.toString(), price: price.toString(), ...endsAt }
  })
  const capacity = stages.reduce((sum, { credits }) => sum + BigInt(credits), 0n)
  return {
    ...base,
    token: { ...base.token, decimals: dice.between('decimals', 0, 9) },
    start: began,
    end: began + 800,
    stages,
    softCap: (capacity / 2n).toString(),
    minOrder: (capacity / 1_000n + 1n).toString(),
    maxBuyer: (capacity / BigInt(dice.between('per buyer', 1, 6)) + 1n).toString(),
    access: { mode: dice.chance('allowlist', 0.3) ? 'allowlist' : 'open' },
    referral: { bps: dice.oneOf('bps', [0, 300, 10_000]), pool: String(dice.between('pool', 0, 1_000_000)) },
    assets: rates(base, dice),
  } as StackTerms
}

function rates(terms: StackTerms, dice: Dice<never>): StackTerms['assets'] {
  return terms.assets.map(asset => ({ ...asset, creditsPerUnit: String(dice.between('rate', 1, 900)) }))
}

function player(sale: {
  dice: Dice<never>
  chain: RecordedChain
  hashes: string[]
  marks: ReturnType<typeof marksOf>
  isAnnounced: boolean
}) {
  const { dice, chain, hashes, marks, isAnnounced } = sale
  let seq = 0
  const buyer = () => dice.oneOf('buyer', buyers)
  const amount = () => BigInt(dice.between('units', 1, dice.oneOf('size', [40, 4_000, 400_000, 40_000_000])))
  const asset = () => dice.oneOf('asset', ['SOL', 'USDC'])
  type Payer = ReturnType<typeof buyer>
  const pay = (payer: Payer, symbol: string, units: bigint, from = usdcOf.get(payer.address) ?? '') => {
    if (symbol === 'SOL')
      return {
        call: transfer(payer.address, treasury.address, units, [marks.presale]),
        moves: { [payer.address]: -units, [treasury.address]: units },
      }
    const call = dice.chance('unchecked', 0.2)
      ? plainTransfer(from, treasuryUsdc, payer.address, units)
      : transferChecked({
          from,
          mint: usdc,
          to: treasuryUsdc,
          authority: payer.address,
          amount: units,
          decimals: 6,
          references: [marks.presale],
        })
    return { call, moves: { [from]: -units, [treasuryUsdc]: units } }
  }
  const order = (payer: Payer, symbol: string, units: bigint) => {
    const known = dice.oneOf('hash', [...hashes.slice(0, 2), hashes[0] ?? '', hashes[0] ?? '', 'f'.repeat(64)])
    const referrer = dice.oneOf('referrer', [undefined, payer.address, buyer().address, 'z'.repeat(40)])
    const min = dice.oneOf('min', [0n, 0n, 1n, units, 10n ** 15n])
    return orderMemo({
      terms: known.slice(0, 16),
      id: dice.between('id', 0, 300).toString(16).padStart(16, '0'),
      asset: symbol,
      units,
      quoted: min,
      min,
      ...(referrer === undefined ? {} : { referrer }),
    })
  }
  const notice = (number: number, verb: string, arg: string, also: Instruction[] = [], moves = {}) => {
    const self = authority.address
    const text = memo(noticeMemo({ seq: number, verb, arg }))
    const mark = transfer(self, self, 0n, [marks.notice])
    const isSigned = dice.chance('signed text', 0.1)
    const isWritable = dice.chance('writable mark', 0.1)
    chain.land(
      [
        isSigned ? { ...text, accounts: [{ address: self, signer: true }] } : text,
        isWritable ? { ...mark, accounts: mark.accounts.map(one => ({ ...one, writable: true })) } : mark,
        ...also,
      ],
      [authority],
      moves,
    )
  }
  const kinds: [number, () => unknown][] = [
    [
      60,
      () => {
        const [payer, symbol, units] = [buyer(), asset(), amount()]
        const { call, moves } = pay(payer, symbol, units)
        chain.land([memo(order(payer, symbol, units)), call], [payer], moves)
      },
    ],
    [
      5,
      () => {
        const { call, moves } = pay(stranger, asset(), amount())
        const text = dice.oneOf('text', [undefined, memo('12345'), oldMemo('mai1:x')])
        chain.land(text ? [text, call] : [call], [stranger], moves)
      },
    ],
    [
      4,
      () => {
        // Two payments, or two orders, or an order that is none
        const [payer, symbol, units] = [buyer(), asset(), amount()]
        const [one, two] = [pay(payer, symbol, units), pay(stranger, symbol, units + 1n)]
        const text = memo(order(payer, symbol, units))
        const inside = dice.oneOf('inside', [0n, 0n, 5n])
        const to = symbol === 'SOL' ? treasury.address : treasuryUsdc
        const both = { ...one.moves, ...two.moves, [to]: units + units + 1n + inside }
        dice.oneOf('malformed', [
          () => chain.land([text, one.call, two.call], [payer, stranger], both),
          () => chain.land([one.call, two.call], [payer, stranger], both),
          () => chain.land([text, memo(order(payer, symbol, units)), one.call], [payer], one.moves),
          () => chain.land([memo('mai1:not an order'), one.call], [payer], one.moves),
        ])()
      },
    ],
    [
      3,
      () => {
        const [payer, symbol, units] = [buyer(), asset(), amount()]
        const { call, moves } = pay(payer, symbol, units)
        const other = symbol === 'SOL' ? 'USDC' : 'SOL'
        const text = dice.oneOf('mismatch', [order(payer, symbol, units + 1n), order(payer, other, units)])
        chain.land([memo(text), call], [payer], moves)
      },
    ],
    [
      3,
      () => {
        const [payer, units] = [buyer(), amount()]
        const { call, moves } = pay(
          payer,
          'USDC',
          units,
          dice.oneOf('source', [usdcOf.get(stranger.address) ?? '', pool]),
        )
        chain.land([memo(order(payer, 'USDC', units)), call], [payer], moves)
      },
    ],
    [
      4,
      () => {
        // Money that came by a program's own call, beside a payment or alone
        const [payer, symbol, units] = [buyer(), asset(), amount()]
        const { call, moves } = pay(payer, symbol, units)
        const [to, other] = symbol === 'SOL' ? [treasury.address, treasuryUsdc] : [treasuryUsdc, treasury.address]
        const touch = transfer(payer.address, other, 0n)
        dice.oneOf('inner', [
          () => chain.land([touch, memo('a vault')], [payer], { [other]: units }),
          () => chain.land([memo(order(payer, symbol, units)), call], [payer], { ...moves, [to]: units + 3n }),
          () => chain.land([memo(order(payer, symbol, units)), call, touch], [payer], { ...moves, [other]: 7n }),
        ])()
      },
    ],
    [
      3,
      () => {
        const { call, moves } = pay(authority, asset(), amount())
        chain.land([call], [authority], moves)
      },
    ],
    [
      2,
      () => {
        const held = chain.lamports.get(treasury.address) ?? 0n
        const units = held / 3n
        const out = transfer(treasury.address, stranger.address, units)
        chain.land([out], [treasury], { [treasury.address]: -units - 1n, [stranger.address]: units })
      },
    ],
    [
      3,
      () => {
        const [payer, symbol, units] = [buyer(), asset(), amount()]
        const { call } = pay(payer, symbol, units)
        chain.land([memo(order(payer, symbol, units)), call], [payer], {}, true)
        if (dice.chance('own fee', 0.3) && (chain.lamports.get(treasury.address) ?? 0n) > 5_000n)
          chain.land([transfer(treasury.address, pool, 1n)], [treasury], { [treasury.address]: -5_000n }, true)
      },
    ],
    [
      2,
      () => {
        const call = plainTransfer(pool, treasuryStray, stranger.address, 5n)
        chain.land([transfer(stranger.address, treasury.address, 0n), call], [stranger], { [treasuryStray]: 5n })
      },
    ],
    [
      6,
      () => {
        const verb = dice.oneOf('verb', [
          'pause',
          'resume',
          'resume',
          'resume',
          'terms',
          'terms',
          'plan',
          'result',
          'close',
        ])
        if (verb === 'close' && dice.chance('stay open', 0.8)) return
        const arg =
          verb === 'terms'
            ? dice.oneOf('announced', hashes)
            : verb === 'plan'
              ? 'ab'.repeat(32)
              : verb === 'result'
                ? 'success'
                : '-'
        const number = dice.chance('out of turn', 0.15) ? seq + dice.oneOf('turn', [0, 2, 5]) : ++seq
        const { call, moves } = pay(authority, 'SOL', 9n)
        if (dice.chance('with money', 0.2)) notice(Math.max(number, 1), verb, arg, [call], moves)
        else notice(Math.max(number, 1), verb, arg)
      },
    ],
    [
      1,
      () => {
        // A stranger's notice, one without its mark, and one without an argument
        const broken = `mai1n:${seq + 1}:${dice.oneOf('broken', ['pause:', 'stop:-', 'terms:-', 'pause:-:'])}`
        chain.land([memo(broken), transfer(authority.address, authority.address, 0n, [marks.notice])], [authority])
        const text = memo(noticeMemo({ seq: seq + 1, verb: 'close', arg: '-' }))
        chain.land([text, transfer(stranger.address, stranger.address, 0n, [marks.notice])], [stranger])
        chain.land([text, transfer(authority.address, stranger.address, 0n, [marks.notice])], [authority])
      },
    ],
  ]
  const total = kinds.reduce((sum, [weight]) => sum + weight, 0)
  return {
    begin() {
      const { call, moves } = pay(authority, 'SOL', 890_880n)
      chain.land([call], [authority], moves)
      if (isAnnounced) notice(++seq, 'terms', hashes[0] ?? '')
    },
    step() {
      if (dice.chance('next slot', 0.7)) chain.next(dice.between('slots', 1, 3), dice.between('seconds', 0, 25))
      let at = dice.between('kind', 1, total)
      for (const [weight, run] of kinds) {
        at -= weight
        if (at > 0) continue
        run()
        return
      }
    },
  }
}

function plainTransfer(from: string, to: string, by: string, units: bigint): Instruction {
  const data = new Uint8Array(9)
  data[0] = 3
  new DataView(data.buffer).setBigUint64(1, units, true)
  return {
    program: TOKEN,
    accounts: [
      { address: from, writable: true },
      { address: to, writable: true },
      { address: by, signer: true },
    ],
    data,
  }
}

/** The first memo program does not count. */
function oldMemo(text: string): Instruction {
  return { ...memo(text), program: MEMO_V1 }
}
