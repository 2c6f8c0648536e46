/** A sale of its own on the local chain, with an operator who runs `npm run presale`. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { presaleCommand } from '../../../scripts/presale/command.ts'
import { openNode } from '../../../scripts/presale/node.ts'
import { verify } from '../../../scripts/presale/verify.ts'
import { readTerms } from '../../../src/events/sale/terms/terms.ts'
import type { Http } from '../../../src/worker/drivers/http.ts'
import { createRpc, type Rpc } from '../../../src/worker/drivers/solana/rpc.ts'
import { createLedgerDriver } from '../../../src/worker/drivers/solana/sale/ledger.ts'
import { createNoticeReader } from '../../../src/worker/drivers/solana/sale/notices.ts'
import { createSolanaDriver } from '../../../src/worker/drivers/solana/solana.ts'
import { createHttp } from '../../../src/worker/host/aloneTransport.ts'
import { memoryBytes } from '../../../src/worker/drivers/bytes.ts'
import { trustedCheckpoint } from '../../../src/worker/services/notices.ts'
import { base58, canonicalJson, hex, sha256 } from '../../stack/solana/bytes.ts'
import { type Keypair, seededKeypair } from '../../stack/solana/keys.ts'
import { type Marks, marksOf } from '../../stack/solana/presale/marks.ts'
import type { SolanaStack } from '../../stack/solana/server.ts'

type Told = { code: number; out: string; err: string }
type Way = { call?: typeof fetch; input?: string; wait?: () => Promise<void> }

/** `terms`: text of version 1. `run` gives the verb terms, node and working directory of the sale. */
export type OperatorWorld = {
  /** the working directory; the folder of the terms is in it */
  folder: string
  /** a path in the folder of the terms */
  at(name: string): string
  /** a path beside that folder */
  beside(name: string): string
  authority: Keypair
  payer: Keypair
  treasury: string
  marks: Marks
  terms: Record<string, unknown>
  hash: string
  /** writes terms with other values; returns their path */
  vary(name: string, changes: Record<string, unknown>): string
  run(args: string[], way?: Way): Promise<Told>
  /** with the authority's key */
  signed(args: string[], way?: Way): Promise<Told>
  /** its directory, and the text of its journal */
  state: string
  journal(): string
  /** every text of the folders and of all output so far */
  everything(): string
  /** signatures of the transactions under the notices' reference, oldest first */
  notices(): string[]
  close(): void
}

/** @param name gives the sale its keys and its id */
export async function operatorWorld(stack: SolanaStack, name: string): Promise<OperatorWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'mai-operator-'))
  const at = (file: string) => join(folder, 'sale', file)
  const beside = (file: string) => join(folder, file)
  mkdirSync(join(folder, 'sale'))
  const [authority, payer, treasury] = ['authority', 'payer', 'treasury'].map(part =>
    seededKeypair('operator world', `${name} ${part}`),
  ) as [Keypair, Keypair, Keypair]
  for (const { address } of [authority, payer]) stack.give(address, { sol: '10' })
  stack.chain.advance(40)
  const served = JSON.parse(await (await fetch(`${stack.url}/terms.json`)).text())
  const terms = { ...served, id: name, authority: authority.address, treasury: treasury.address }
  const vary = (file: string, changes: Record<string, unknown>) => {
    writeFileSync(at(file), canonicalJson({ ...terms, ...changes }))
    return at(file)
  }
  vary('terms.json', {})
  writeKey(at('authority.key'), authority)
  writeKey(at('payer.key'), payer)
  const marks = marksOf(authority.address, name)
  let output = ''
  const run = async (args: string[], { call = fetch, input, wait }: Way = {}): Promise<Told> => {
    const told = { out: '', err: '' }
    const io = {
      out: { write: (text: string) => (told.out += text) },
      err: { write: (text: string) => (told.err += text) },
      call,
      directory: folder,
      wait: wait ?? (async () => stack.chain.advance(8)),
      ...(input !== undefined && { input: () => input }),
    }
    const withTerms = args.includes('--terms') ? args : [...args, '--terms', at('terms.json')]
    const code = await presaleCommand([...withTerms, '--rpc', stack.url], io)
    output += told.out + told.err
    return { code, ...told }
  }
  return {
    folder,
    at,
    beside,
    authority,
    payer,
    treasury: treasury.address,
    marks,
    terms,
    hash: hex(sha256(canonicalJson(terms))),
    vary,
    run,
    signed: (args, way) => run([...args, '--keypair', at('authority.key')], way),
    state: beside(`presale-state/${name}`),
    journal: () => readFileSync(beside(`presale-state/${name}/journal.jsonl`), 'utf8'),
    notices: () => stack.chain.ledger.mentioning(marks.notice).map(({ signature }) => signature),
    everything: () => output + textsIn(folder),
    close: () => rmSync(folder, { recursive: true }),
  }
}

/** Many sales of one chain; `published` ones have their terms and checkpoint 0 on it. */
export function operatorWorlds(stack: SolanaStack) {
  const made: OperatorWorld[] = []
  const publishing = ['publish', '--reserve', stack.accounts.reserveTokens]
  const fresh = async () => {
    const world = await operatorWorld(stack, `sale-${made.length}`)
    made.push(world)
    return world
  }
  return {
    publishing,
    fresh,
    async published() {
      const world = await fresh()
      const codes = [(await world.signed(['init'])).code, (await world.signed(publishing)).code]
      if (codes.join() !== '0,0') throw new Error(`a sale expected to be published, got exit codes ${codes.join()}`)
      return world
    },
    close: () => made.forEach(world => world.close()),
  }
}

/** @returns the method of a call to a node */
export function methodOf(init: RequestInit | undefined): string {
  return JSON.parse(String(init?.body)).method
}

/** The sale as a visitor's page reads it: through its reader of notices, from the published files and the chain. */
export async function asThePage(stack: SolanaStack, { at, marks, authority, terms }: OperatorWorld) {
  const node = openNode(stack.url, {})
  const http = { text: async () => readFileSync(at('notices.json'), 'utf8') } as unknown as Http
  const sale = { presaleRef: marks.presale, noticeRef: marks.notice, authority: authority.address }
  const reader = createNoticeReader({ listUrl: () => 'notices.json', http, rpc: node as unknown as Rpc, verify })
  const reading = await reader(sale)
  const { checkpoints, published } = reading.board
  const parsed = readTerms(canonicalJson(terms)).terms
  const expected = { checkpoints, published, authority: sale.authority, presaleRef: sale.presaleRef, terms: parsed }
  const checkpoint = await trustedCheckpoint(readFileSync(at('checkpoint.json'), 'utf8'), expected, verify)
  return { ...reading, checkpoint }
}

/** The drivers of a fresh device that visits the sale. `fetched`: names of the published files that it requested. */
export function visitorOf(stack: SolanaStack, { at, authority, terms }: OperatorWorld) {
  const fetched: string[] = []
  const host: typeof fetch = async (input, init) => {
    const url = new URL(String(input instanceof Request ? input.url : input))
    if (url.host !== 'sale.test') return fetch(input, init)
    const name = url.pathname.slice(1)
    fetched.push(name)
    return existsSync(at(name)) ? new Response(readFileSync(at(name))) : new Response('', { status: 404 })
  }
  const http = createHttp({ fetch: host, wait: async () => {} })
  const termsUrl = 'https://sale.test/terms.json'
  const sale = { authority: authority.address, id: String(terms.id) }
  const rpcUrls = [stack.url]
  const drivers = {
    ...createSolanaDriver({ rpcUrls, termsUrl, sale, http, bytes: memoryBytes(), now: () => 0 }),
    ...createLedgerDriver({
      termsUrl,
      http,
      rpc: createRpc({ urls: rpcUrls, http }),
      verify,
      emit: () => undefined,
      parts: { get: async () => undefined, put: async () => undefined },
    }),
  }
  return { drivers, fetched }
}

/** As the Solana CLI writes it. */
export function writeKey(path: string, { secretKey }: Keypair): void {
  writeFileSync(path, JSON.stringify([...secretKey]), { mode: 0o600 })
}

/** The texts by which a secret key would be known. */
export function secretsOf({ secretKey }: Keypair): string[] {
  const seed = secretKey.subarray(0, 32)
  const list = (bytes: Uint8Array) => [...bytes].join(',')
  return [list(seed), base58(seed), base58(secretKey), Buffer.from(seed).toString('base64').slice(0, 40), hex(seed)]
}

function textsIn(path: string): string {
  if (path.endsWith('.key')) return ''
  if (statSync(path).isFile()) return readFileSync(path, 'utf8')
  return readdirSync(path)
    .map(name => textsIn(join(path, name)))
    .join('\n')
}
