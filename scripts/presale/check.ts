import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Fault } from '../../src/runtime/failure.ts'
import { curveOf } from '../../src/events/sale/price.ts'
import { frozenChanges } from '../../src/events/sale/saleChanges.ts'
import type { Terms } from '../../src/events/sale/terms/terms.ts'
import { formatAmount } from '../../src/events/values/amount.ts'
import { isSolanaAddress } from '../../src/events/values/solana/address.ts'
import { rentMinimum } from '../../src/events/values/solana/rent.ts'
import { refused, safeJson, takeWords, type VerbArguments } from '../../src/main/replay/verb.ts'
import { programs } from '../../src/worker/chains/solana/programs.ts'
import type { LedgerSale } from '../../src/worker/ledger/ledgerSale.ts'
import { readMint } from '../../src/worker/rpc/accountData.ts'
import { type AccountInfo, accounts, genesisHash, readAnswer } from '../../src/worker/rpc/answers.ts'
import { readContent } from '../../src/worker/services/content.ts'
import { checkToken, permanentDelegateOf, readEitherTokenAccount } from '../../src/worker/rpc/sendable.ts'
import { agree } from './books/secondNode.ts'
import type { Node } from './node.ts'
import { outIn } from './operator/work.ts'
import { firstAnnounced } from './operator/saleNotices.ts'
import { maySign } from './payouts/notWallet.ts'
import { listSale, readLedger } from './readLedger.ts'
import { nodesIn, otherTermsText, saleIn, textOf } from './saleFiles.ts'
import { assetText, tokenText } from './totalsText.ts'
import { type PresaleIo, type PresaleVerb, saleOptions } from './verb.ts'

/** Rules of the terms about versions and the chain; those of one document are in `readTerms`. */
type FindingCode =
  | 'TERMS_VERSION'
  | 'TERMS_FROZEN'
  | 'TERMS_ANNOUNCED'
  | 'TERMS_CLUSTER'
  | 'TERMS_TREASURY_OWNER'
  | 'TERMS_TREASURY_KEY'
  | 'TERMS_TREASURY_RENT'
  | 'TERMS_TREASURY_ACCOUNT'
  | 'TERMS_TREASURY_HISTORY'
  | 'TERMS_PAYMENT_MINT'
  | 'TERMS_TOKEN_MINT'
  | 'TERMS_TOKEN_TRANSFER'
  | 'TERMS_TOKEN_DELEGATE'
  | 'TERMS_MINT_AUTHORITY'
  | 'TERMS_FREEZE_AUTHORITY'
  | 'TERMS_RESERVE'
  | 'TERMS_CONTENT'

/**
 * A rule that was checked. `good`: as it should be; `warning`: to be done before the start, or known by buyers; `error`: the sale
 * cannot be.
 */
export type Finding = { code: FindingCode; about: string; level: 'good' | 'warning' | 'error'; text: string }

/** Of one rule about one thing. */
type Tell = (level: Finding['level'], text: string) => Finding

function telling(code: FindingCode, about: string): Tell {
  return (level, text) => ({ code, about, level, text })
}

type Account = AccountInfo | null | undefined

/** `npm run presale -- check` */
export const check: PresaleVerb = {
  takes: '--terms FILE --rpc URL',
  summary: 'checks terms against their rules and the chain: cluster, treasury, mints, authorities, reserve',
  about: `Checks every version of the terms against the schema and its rules, and what the terms say against the chain: genesis hash,
treasury, mints with decimals, program and authorities, and the reserve's balance. Before the terms are announced it also reads the
treasury's history: what others paid there so far, the ledger counts as owed back. Of content.json beside the terms, if there is one, it
tells whether pages can show it. An error means that the sale cannot work as its terms say; a warning is to be done before the start, or
to be known by buyers.`,
  examples: [
    '--terms published/terms.json --rpc https://api.mainnet-beta.solana.com',
    '--terms published/terms.json --rpc http://127.0.0.1:8899 --reserve RESERVE_TOKEN_ACCOUNT --json',
  ],
  options: { ...saleOptions, reserve: { value: 'ADDRESS', about: 'the token account that holds the tokens for sale' } },
  async run(asked, io) {
    takeWords(asked, [])
    const sale = saleIn(asked)
    const findings = [
      ...(await saleFindings(sale, nodesIn(asked, io), { reserve: reserveIn(asked), io })),
      ...contentFindings(outIn(asked)),
    ]
    io.out.write(asked.flags.has('json') ? `${safeJson(findings)}\n` : findings.map(findingText).join(''))
    return findings.some(({ level }) => level === 'error') ? 1 : 0
  },
}

/** `reserve`: the token account with the tokens for sale. */
type ChainOptions = { reserve: string | undefined; io: PresaleIo }

/**
 * Holds terms against their rules and the chain.
 *
 * @param options `strict`: a mint without enough of them is an error
 * @throws Fault of the nodes; `rpc_lying` when the second one leads to other findings
 */
export async function saleFindings(
  sale: LedgerSale,
  { node, second }: { node: Node; second: Node | undefined },
  { strict = false, ...options }: ChainOptions & { strict?: boolean },
): Promise<Finding[]> {
  const findings = [...versionFindings(sale), ...(await chainFindings(sale, node, options))]
  if (second)
    agree(second, 'the accounts of the terms', differences(findings, await chainFindings(sale, second, options)))
  const isShort = ({ code, level }: Finding) => code === 'TERMS_RESERVE' && level === 'warning'
  if (!strict || sale.first.terms.token.mint === null) return findings
  return findings.map(finding => (isShort(finding) ? { ...finding, level: 'error' } : finding))
}

/** A balance may move between the two readings: of an account with money the level alone counts. */
function differences(first: readonly Finding[], second: readonly Finding[]): string[] {
  const known = new Set(first.map(comparable))
  return second.filter(one => !known.has(comparable(one))).map(one => `it tells ${findingText(one).trim()}`)
}

const ofBalances: readonly FindingCode[] = [
  'TERMS_TREASURY_RENT',
  'TERMS_TREASURY_ACCOUNT',
  'TERMS_TREASURY_HISTORY',
  'TERMS_RESERVE',
]

function comparable({ code, about, level, text }: Finding): string {
  return ofBalances.includes(code) ? `${code} ${about} ${level}` : `${code} ${about} ${level} ${text}`
}

/** @returns a finding as a line */
export function findingText({ code, about, level, text }: Finding): string {
  const signs = { good: 'ok', warning: 'warning', error: 'ERROR' }
  return `${signs[level].padEnd(8)} ${about}: ${text}${level === 'good' ? '' : ` (${code})`}\n`
}

/** @returns the token account that `--reserve` names. @throws Fault `bad_input` when it is no address */
export function reserveIn({ values }: VerbArguments): string | undefined {
  const [address] = values.reserve ?? []
  const said = address?.slice(0, 50)
  if (address !== undefined && !isSolanaAddress(address))
    throw refused(`--reserve expected an address in base58, got ${said}`)
  return address
}

function versionFindings({ versions }: LedgerSale): Finding[] {
  return versions.map(({ terms, hash }, at): Finding => {
    const tell = telling('TERMS_FROZEN', `terms, version ${terms.version}`)
    const before = versions[at - 1]?.terms
    if (before && before.version >= terms.version)
      return telling('TERMS_VERSION', `terms, version ${terms.version}`)(
        'error',
        `a later version expected a number above ${before.version}, got ${terms.version} again with hash ${hash}`,
      )
    const frozen = before ? frozenChanges(before, terms) : []
    const [first] = frozen
    if (!first) return tell('good', `hash ${hash}`)
    const text = `${first.path} expected to stay ${first.before || 'absent'}, got ${first.after || 'nothing'}`
    return tell('error', frozen.length > 1 ? `${text}, and ${frozen.length - 1} more` : text)
  })
}

async function chainFindings(sale: LedgerSale, node: Node, { reserve, io }: ChainOptions): Promise<Finding[]> {
  const { terms } = sale.first
  const { cluster, token, assets, treasury } = terms
  const tell = telling('TERMS_CLUSTER', 'cluster')
  const chain = readAnswer(genesisHash, await node.call('getGenesisHash', []), 'getGenesisHash')
  if (chain !== cluster.genesisHash)
    return [tell('error', `${cluster.name} expected genesis hash ${cluster.genesisHash}, ${node.host} serves ${chain}`)]
  const mints = assets.flatMap(({ mint }) => mint ?? [])
  const watched = sale.watched.map(({ address }) => address)
  const addresses = [...new Set([treasury, ...watched, ...mints, token.mint ?? treasury, reserve ?? treasury])]
  const params = [addresses, { encoding: 'base64', commitment: 'finalized' }]
  const { context, value } = readAnswer(accounts, await node.call('getMultipleAccounts', params), 'getMultipleAccounts')
  const at = (address: string): Account => value[addresses.indexOf(address)]
  return [
    tell('good', `${cluster.name}, genesis hash ${chain}`),
    treasuryFinding(treasury, at(treasury)),
    ...(maySign(treasury) ? [] : [telling('TERMS_TREASURY_KEY', `treasury ${treasury}`)('warning', noKeyText)]),
    ...(await announcementFindings(sale, node, { slot: context.slot, io })),
    ...assets.flatMap(asset => assetFindings(sale, asset, at)),
    ...tokenFindings(terms, at),
    reserveFinding(terms, reserve, reserve === undefined ? undefined : at(reserve)),
  ]
}

/** The content file beside the terms, if there is one: a page shows all of it or nothing. */
function contentFindings(folder: string): Finding[] {
  const path = join(folder, 'content.json')
  if (!existsSync(path)) return []
  const tell = telling('TERMS_CONTENT', path)
  try {
    // A page decodes it without a byte order mark
    readContent(textOf(path).replace(/^\uFEFF/, ''), 'https://sale.invalid/')
    return [tell('good', 'a page can show it')]
  } catch (cause) {
    if (!(cause instanceof Fault)) throw cause
    return [tell('warning', `${cause.message}: no page shows any of it`)]
  }
}

/** Before the terms are announced, what others paid so far; afterwards, whether these terms are the announced ones. */
async function announcementFindings(
  sale: LedgerSale,
  node: Node,
  { slot, io }: { slot: number; io: PresaleIo },
): Promise<Finding[]> {
  const announced = await firstAnnounced(node, sale, slot)
  const { terms, hash } = sale.first
  if (announced === undefined) return [await historyFinding(sale, node, io)]
  if (announced === hash) return []
  const tell = telling('TERMS_ANNOUNCED', `terms, version ${terms.version}`)
  return [tell('error', otherTermsText(announced, sale.first))]
}

function treasuryFinding(treasury: string, account: Account): Finding {
  const about = `treasury ${treasury}`
  const tell = telling('TERMS_TREASURY_RENT', about)
  if (!account) return tell('warning', `expected at least ${rentMinimum} lamports, got no account yet`)
  if (account.owner !== programs.system || account.data[0] !== '')
    return telling('TERMS_TREASURY_OWNER', about)(
      'error',
      `expected a plain account or multisig vault, got one of program ${account.owner}`,
    )
  if (BigInt(account.lamports) < rentMinimum)
    return tell('warning', `expected at least ${rentMinimum} lamports, got ${account.lamports}`)
  return tell('good', `${formatAmount(String(account.lamports), 9)} SOL`)
}

const noKeyText =
  'no key signs for it, so no plan can pay money back: the program of this vault would pay, once, by refunds.csv of "export"'

/** The ledger counts from the treasury's first transaction: a baseline could hide payments. */
async function historyFinding(sale: LedgerSale, node: Node, io: PresaleIo): Promise<Finding> {
  const tell = telling('TERMS_TREASURY_HISTORY', 'treasury’s history')
  try {
    const { state } = await readLedger(node, sale, await listSale(node, sale, io), { io })
    const owed = [...state.owed].map(([asset, units]) => assetText(sale.first.terms, asset, units))
    if (owed.length === 0) return tell('good', 'no payment before the terms are announced')
    return tell(
      'warning',
      `expected no payment before the terms are announced, got ${owed.join(', ')}, which the ledger counts as owed back: use a fresh treasury`,
    )
  } catch (cause) {
    // Without a ledger now there is none later
    if (cause instanceof Fault && (cause.code === 'rpc_lying' || cause.code === 'bad_response'))
      return tell('error', `expected to be whole from its first transaction, or a fresh treasury: ${cause.message}`)
    throw cause
  }
}

function assetFindings(sale: LedgerSale, asset: Terms['assets'][number], at: (address: string) => Account): Finding[] {
  const { mint, symbol, decimals } = asset
  if (mint === undefined) return []
  const tellMint = telling('TERMS_PAYMENT_MINT', `asset ${symbol}`)
  const found = mintFinding(tellMint, { mint, decimals, program: programs.token, account: at(mint) })
  const address = sale.watched.find(one => one.asset === symbol)?.address ?? ''
  const held = readEitherTokenAccount(at(address), programs.token)
  const tell = telling('TERMS_TREASURY_ACCOUNT', `treasury's account of ${symbol}, ${address}`)
  if (!held) return [found, tell('warning', 'expected to exist before the start, got none')]
  if (held.owner !== sale.first.terms.treasury)
    return [found, tell('error', `expected the treasury as owner, got ${held.owner}`)]
  return [found, tell('good', `${formatAmount(held.amount.toString(), decimals)} ${symbol}`)]
}

const noMintText =
  'the terms name no mint, and once they are published no later version may: no plan could ever pay the token. Create it first, and name its mint'

function tokenFindings({ token }: Terms, at: (address: string) => Account): Finding[] {
  const { mint, symbol, decimals } = token
  const about = `token ${symbol}`
  const tell = telling('TERMS_TOKEN_MINT', about)
  if (mint === null) return [tell('warning', noMintText)]
  const program = token.program === 'spl-token' ? programs.token : programs.token2022
  const account = at(mint)
  const found = mintFinding(tell, { mint, decimals, program, account })
  if (found.level === 'error' || !account) return [found]
  const refused = payoutFinding(telling('TERMS_TOKEN_TRANSFER', about), account, { program, decimals })
  if (refused) return [refused]
  const { mintAuthority, freezeAuthority } = readMint(account, program, about)
  const delegate = permanentDelegateOf(account)
  const authority = (tellOne: Tell, key: string | undefined): Finding =>
    key === undefined ? tellOne('good', 'given up for ever') : tellOne('warning', `still ${key}`)
  const tellDelegate = telling('TERMS_TOKEN_DELEGATE', `${about}, permanent delegate`)
  return [
    found,
    authority(telling('TERMS_MINT_AUTHORITY', `${about}, mint authority`), mintAuthority),
    authority(telling('TERMS_FREEZE_AUTHORITY', `${about}, freeze authority`), freezeAuthority),
    ...(delegate === undefined ? [] : [tellDelegate('warning', `${delegate} may move and burn it in every wallet`)]),
  ]
}

/** Judges a token as a payout does, so that a sale is not published whose tokens could not be paid. */
function payoutFinding(
  tell: Tell,
  account: AccountInfo,
  token: { program: string; decimals: number },
): Finding | undefined {
  try {
    checkToken(account, token, true)
    return undefined
  } catch (cause) {
    if (!(cause instanceof Fault)) throw cause
    return tell('error', cause.message)
  }
}

function mintFinding(
  tell: Tell,
  { mint, decimals, program, account }: { mint: string; decimals: number; program: string; account: Account },
): Finding {
  try {
    const read = readMint(account, program, `mint ${mint}`)
    if (read.decimals === decimals) return tell('good', `mint ${mint}, ${decimals} decimals`)
    return tell('error', `mint ${mint} expected ${decimals} decimals, got ${read.decimals}`)
  } catch (cause) {
    if (!(cause instanceof Fault)) throw cause
    return tell('error', cause.message)
  }
}

function reserveFinding(terms: Terms, reserve: string | undefined, account: Account): Finding {
  const needed = curveOf(terms).tokens + BigInt(terms.referral.pool)
  const tell = telling('TERMS_RESERVE', 'reserve')
  const program = terms.token.program === 'spl-token' ? programs.token : programs.token2022
  if (reserve === undefined || terms.token.mint === null)
    return tell('warning', `expected ${tokenText(terms, needed)}, not checked without --reserve and a mint`)
  const held = readEitherTokenAccount(account, program)
  if (held?.mint !== terms.token.mint)
    return tell('error', `expected a token account of ${terms.token.mint}, got ${held?.mint ?? 'none'}`)
  if (held.amount < needed)
    return tell('warning', `expected ${tokenText(terms, needed)}, got ${tokenText(terms, held.amount)}`)
  return tell('good', `${tokenText(terms, held.amount)}, ${tokenText(terms, needed)} needed`)
}
