/** Opening of a verb that may send: sale, node, key, state directory, and the end of earlier business. */
import { dirname } from 'node:path'
import { Fault } from '../../../src/runtime/failure.ts'
import { refused, safeJson, takeWords, type VerbArguments } from '../../../src/main/replay/verb.ts'
import { presaleRef } from '../../../src/worker/chains/solana/references.ts'
import type { LedgerSale } from '../../../src/worker/ledger/ledgerSale.ts'
import { genesisHash, readAnswer } from '../../../src/worker/rpc/answers.ts'
import { readKey } from '../keys.ts'
import { type Node, waitMs } from '../node.ts'
import { nodesIn, saleIn } from '../saleFiles.ts'
import { type Draft, landed, prepare, type Prepared, resolveUnfinished, type Sending, sendPrepared } from '../send.ts'
import { type Journal, openState, readState, type State, type StateOf } from '../state.ts'
import { stateDirectory } from '../stateDirectory.ts'
import { type PresaleExit, type PresaleIo, saleOptions, type SigningKey, stateOption } from '../verb.ts'
import { makeFolder, writeWhole } from '../writeWhole.ts'

/** Options of every verb that may send. */
export const workOptions = {
  ...saleOptions,
  keypair: { value: 'FILE|-', about: 'the authority’s key: a file of the Solana CLI, or - for standard input' },
  state: stateOption,
  out: { value: 'DIR', about: 'the folder of the published files; default: that of the terms' },
  'dry-run': { about: 'simulates, and sends and writes nothing; needs no key' },
  'export-unsigned': {
    value: 'FILE',
    about: 'writes the transaction in base64, for a wallet to sign, instead of sending',
  },
} as const

/** `send`: as asked. `dry`: simulate only. `export`: write the transaction to a file. */
export type Mode = { kind: 'send' } | { kind: 'dry' } | { kind: 'export'; path: string }

export type Work = {
  sale: LedgerSale
  node: Node
  /** the node whose word has to be the same before anything is signed */
  second: Node | undefined
  sending: Sending
  io: PresaleIo
  mode: Mode
  /** folder of the published files */
  out: string
  /** state directory */
  directory: string
  isJson: boolean
  /** the authority's key; it is there whenever the mode is `send` */
  authority: SigningKey | undefined
  /** further keys by option */
  keys: ReadonlyMap<string, SigningKey>
  /** the newest slot that this command has seen its own transactions in */
  seen: number
  /** writes a line of progress */
  say(text: string): void
}

/** A transaction that was sent and is final, or only simulated or exported. */
export type Outcome = { signature: string; slot: number } | 'simulated' | 'exported'

/**
 * Opens the work of a verb, follows earlier transactions to their end, and closes everything.
 *
 * @param keyOptions options beside `--keypair` that name a key
 * @throws Fault `wrong_cluster`, `bad_input` for a key that is not the authority's, and as `openState`
 */
export async function withWork(
  asked: VerbArguments,
  io: PresaleIo,
  run: (work: Work) => Promise<PresaleExit>,
  { keyOptions = [], words = [] }: { keyOptions?: readonly string[]; words?: readonly string[] } = {},
): Promise<PresaleExit> {
  takeWords(asked, words)
  const sale = saleIn(asked)
  const directory = stateDirectory(asked, sale, io)
  const { node, second } = nodesIn(asked, io)
  const mode = modeIn(asked)
  const keys = keysIn(asked, ['keypair', ...keyOptions], io)
  const authority = authorityKey(sale, keys.get('keypair'), mode)
  await checkCluster(node, sale)
  if (second) await checkCluster(second, sale)
  const out = outIn(asked)
  if (mode.kind === 'send') makeFolder('the folder of the published files', out)
  const state = stateIn(directory, sale, mode)
  const isJson = asked.flags.has('json')
  const say = (text: string) => void (isJson ? io.err : io.out).write(`${text}\n`)
  const sending = { node, journal: state.journal, wait: io.wait ?? waitMs }
  const work: Work = {
    sale,
    node,
    second,
    sending,
    io,
    mode,
    out,
    directory,
    isJson,
    authority,
    keys,
    seen: newestEnd(state.journal),
    say,
  }
  try {
    if (mode.kind !== 'dry') await endEarlier(work)
    return await run(work)
  } finally {
    state.close()
  }
}

/** @returns the folder of the published files */
export function outIn({ values }: VerbArguments): string {
  return values.out?.[0] ?? dirname(values.terms?.at(-1) ?? '')
}

/** @throws Fault `wrong_cluster` */
export async function checkCluster({ call, host }: Node, { first }: LedgerSale): Promise<void> {
  const { cluster } = first.terms
  const chain = readAnswer(genesisHash, await call('getGenesisHash', []), 'getGenesisHash')
  if (chain !== cluster.genesisHash)
    throw new Fault('wrong_cluster', `${host} expected chain ${cluster.genesisHash} (${cluster.name}), got ${chain}`)
}

function modeIn({ flags, values }: VerbArguments): Mode {
  const [path] = values['export-unsigned'] ?? []
  if (path !== undefined && flags.has('dry-run')) throw refused('expected --dry-run or --export-unsigned, got both')
  if (path !== undefined) return { kind: 'export', path }
  return { kind: flags.has('dry-run') ? 'dry' : 'send' }
}

/** @returns the keys that these options name. @throws Fault `bad_input` for one that is none, or two from standard input */
export function keysIn({ values }: VerbArguments, options: readonly string[], io: PresaleIo): Map<string, SigningKey> {
  const named = options.flatMap(option => (values[option] ?? []).map(path => ({ option, path })))
  if (named.filter(({ path }) => path === '-').length > 1)
    throw refused('expected one key from standard input, got - more than once')
  const { key = (option, path) => readKey(option, path, io) } = io
  return new Map(named.map(({ option, path }) => [option, key(`--${option}`, path)]))
}

function authorityKey({ first }: LedgerSale, key: SigningKey | undefined, { kind }: Mode): SigningKey | undefined {
  const { authority } = first.terms
  if (!key && kind === 'send') throw refused(`expected --keypair FILE or - with the key of ${authority}, got none`)
  if (key && key.address !== authority)
    throw refused(`--keypair expected the key of the authority ${authority}, got that of ${key.address}`)
  return key
}

/** @returns the sale's and chain's names in its state directory */
export function stateOf({ first }: LedgerSale): StateOf {
  const { authority, id, cluster } = first.terms
  return { presale: presaleRef(authority, id), genesisHash: cluster.genesisHash }
}

function stateIn(directory: string, sale: LedgerSale, { kind }: Mode): Pick<State, 'journal' | 'close'> {
  if (kind !== 'dry') return openState(directory, stateOf(sale))
  const journal: Journal = {
    lines: readState(directory, stateOf(sale)),
    add: () => {
      throw new Fault('bad_input', 'a dry run expected to write nothing, got a line for the journal')
    },
  }
  return { journal, close: () => undefined }
}

/** The newest slot of an ended transaction: a reading that is older would not know it. */
function newestEnd({ lines }: Journal): number {
  return lines.reduce((newest, { kind, slot }) => (kind === 'ended' ? Math.max(newest, Number(slot ?? 0)) : newest), 0)
}

async function endEarlier(work: Work): Promise<void> {
  for (const ended of await resolveUnfinished(work.sending)) {
    const { about, outcome, signature, slot } = ended
    work.seen = Math.max(work.seen, slot ?? 0)
    work.say(`${about}: sent by an earlier command, ${outcome}: ${signature}`)
  }
}

/**
 * Sends a transaction to its end, simulates it, or writes it to a file, as the command asks.
 *
 * @param keys the payer and every other signer; only for sending
 * @throws Fault as `prepare`, `sendPrepared` and `landed`
 */
export async function carryOut(work: Work, draft: Draft, keys: readonly SigningKey[]): Promise<Outcome> {
  const { mode, node, say } = work
  const prepared = await prepare(node, draft)
  if (mode.kind === 'dry') {
    say(`${draft.about}: would be sent; its simulation passed`)
    return 'simulated'
  }
  if (mode.kind === 'export') {
    exportUnsigned(work, prepared, mode.path)
    return 'exported'
  }
  const sent = landed(await sendPrepared(work.sending, prepared, keys))
  work.seen = Math.max(work.seen, sent.slot)
  say(`${draft.about}: final in slot ${sent.slot}: ${sent.signature}`)
  return sent
}

function exportUnsigned({ say }: Work, { about, bytes }: Prepared, path: string): void {
  writeWhole(path, `${Buffer.from(bytes).toString('base64')}\n`)
  say(`${about}: unsigned in ${path}. It can land for about a minute; run this command again when it has`)
}

/** Writes a verb's result: JSON for programs, or a line for people. */
export function tell({ isJson, io }: Work, result: Record<string, unknown>, text: string): void {
  io.out.write(isJson ? `${safeJson(result)}\n` : `${text}\n`)
}
