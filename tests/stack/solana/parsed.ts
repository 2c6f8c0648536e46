import { base58, fromBase58, readLittleEndian } from './bytes.ts'
import { ASSOCIATED_TOKEN, MEMO, MEMO_V1, SYSTEM, TOKEN_2022 } from './programs.ts'
import { isTokenProgram, tokenAmount } from './tokens.ts'

/** A compiled instruction with the whole key list it points into. */
export type CompiledCall = {
  program: number
  accounts: number[]
  /** base58 */
  data: string
  stackHeight: number | null
  addresses: string[]
}

/** An instruction as jsonParsed answers write it: in words for the programs read here, else with its raw data. */
export function parsedInstruction(call: CompiledCall): unknown {
  const programId = call.addresses[call.program] ?? ''
  const accounts = call.accounts.map(place => call.addresses[place] ?? '')
  const data = fromBase58(call.data) ?? new Uint8Array(0)
  const { stackHeight } = call
  const found = inWords(programId, accounts, data)
  return found ? { ...found, programId, stackHeight } : { programId, accounts, data: call.data, stackHeight }
}

type InWords = { program: string; parsed: unknown }

function inWords(programId: string, accounts: string[], data: Uint8Array): InWords | undefined {
  if (programId === MEMO || programId === MEMO_V1)
    return { program: 'spl-memo', parsed: Buffer.from(data).toString('utf8') }
  if (programId === SYSTEM) return wrap('system', systemWords(accounts, data))
  if (isTokenProgram(programId))
    return wrap(programId === TOKEN_2022 ? 'spl-token-2022' : 'spl-token', tokenWords(accounts, data))
  if (programId === ASSOCIATED_TOKEN && data.length <= 1 && accounts.length >= 6) {
    const [source, account, wallet, mint, systemProgram, tokenProgram] = accounts
    const type = data[0] === 1 ? 'createIdempotent' : 'create'
    return wrap('spl-associated-token-account', {
      type,
      info: { source, account, wallet, mint, systemProgram, tokenProgram },
    })
  }
  return undefined
}

const wrap = (program: string, parsed: unknown): InWords | undefined => (parsed ? { program, parsed } : undefined)

function systemWords([first, second]: string[], data: Uint8Array): unknown {
  const kind = Number(readLittleEndian(data, 0, 4))
  if (kind === 2 && data.length === 12)
    return { type: 'transfer', info: { source: first, destination: second, lamports: readLittleEndian(data, 4, 8) } }
  if (kind === 0 && data.length === 52) {
    const lamports = readLittleEndian(data, 4, 8)
    const space = readLittleEndian(data, 12, 8)
    const owner = base58(data.slice(20, 52))
    return { type: 'createAccount', info: { source: first, newAccount: second, lamports, space, owner } }
  }
  return undefined
}

function tokenWords(accounts: string[], data: Uint8Array): unknown {
  const amount = readLittleEndian(data, 1, 8)
  if (data[0] === 3 && data.length === 9) {
    const [source, destination, authority] = accounts
    return { type: 'transfer', info: { amount: amount.toString(), authority, destination, source } }
  }
  if (data[0] === 7 && data.length === 9) {
    const [mint, account, mintAuthority] = accounts
    return { type: 'mintTo', info: { account, amount: amount.toString(), mint, mintAuthority } }
  }
  if (data[0] === 12 && data.length === 10) {
    const [source, mint, destination, authority] = accounts
    const info = { authority, destination, mint, source, tokenAmount: tokenAmount(amount, data[9] ?? 0) }
    return { type: 'transferChecked', info }
  }
  return undefined
}
