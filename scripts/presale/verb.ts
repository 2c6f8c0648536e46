/** The type of a verb of `npm run presale`, and the options that several verbs have. */
import { Fault } from '../../src/runtime/failure.ts'
import type { VerbArguments } from '../../src/main/replay/verb.ts'
import type { Wait } from './node.ts'

type PresaleOutput = { write(text: string): unknown; isTTY?: boolean }

/** `address`: base58 public key. `sign`: Ed25519, 64 bytes; its work is the same for a message of any content. */
export type SigningKey = { address: string; sign(message: Uint8Array): Uint8Array }

/**
 * `call`, `wait`, `input` and `directory` stand in for `fetch`, a timer, the whole text of standard input and the working directory;
 * `random` for a whole number below its argument, `key` for the reader of keys.
 */
export type PresaleIo = {
  out: PresaleOutput
  err: PresaleOutput
  call?: typeof fetch
  wait?: Wait
  random?: (below: number) => number
  key?: (option: string, path: string) => SigningKey
  input?: () => string
  directory?: string
}

/** 0: done; 1: the chain, the terms or another source differ; 2: a wrong command or key, or an unreadable file. */
export type PresaleExit = 0 | 1 | 2

/** @returns a Fault about a sale that is not in the state that a right command expects: the exit code is 1 */
export function otherState(message: string): Fault {
  return new Fault('elsewhere', message)
}

export type PresaleVerb = {
  /** the arguments in the help */
  takes: string
  summary: string
  about: string
  examples: string[]
  options: { readonly [name: string]: { about: string; value?: string; many?: boolean } }
  /** takes the ledger that the state directory holds: a recording has a copy of it */
  readsLedger?: true
  run(asked: VerbArguments, io: PresaleIo): Promise<PresaleExit>
}

/** Options of every verb that reads a sale. */
export const saleOptions = {
  terms: {
    value: 'FILE',
    many: true,
    about: 'the published terms; given once for each version, when there are several',
  },
  rpc: { value: 'URL', about: 'Solana JSON-RPC of the sale’s chain, with its whole history' },
  rpc2: {
    value: 'URL',
    about: 'a second node: what it tells of the sale must be the same, or nothing is signed or written',
  },
  allowlist: { value: 'FILE', about: 'the list of admitted buyers, when the terms have one' },
  json: { about: 'the result as JSON' },
  record: { value: 'FILE', about: 'records this run in a new file, for "replay"; no key is in it' },
} as const

/** Of a verb that takes what an earlier command stored. */
export const stateOption = {
  value: 'DIR',
  about: 'journal, stored ledger and plans of this sale; default: presale-state/NAME-OF-SALE',
} as const

/** Of a verb that only reads the ledger. */
export const slotOption = { value: 'N', about: 'the last slot of the ledger; default: the newest final one' } as const
