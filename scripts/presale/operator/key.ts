import { generateKeyPairSync } from 'node:crypto'
import { closeSync, fsyncSync, openSync } from 'node:fs'
import { isSolanaAddress } from '../../../src/events/values/solana/address.ts'
import { refused, safeJson, takeWords } from '../../../src/main/replay/verb.ts'
import { associatedTokenAddress } from '../../../src/worker/chains/solana/ata.ts'
import { readKey } from '../keys.ts'
import { tokenProgram } from '../payouts/payees.ts'
import type { PresaleVerb } from '../verb.ts'
import { writeAll } from '../writeWhole.ts'

/** `npm run presale -- key` */
export const key: PresaleVerb = {
  takes: 'FILE [--new] [--mint ADDRESS [--program NAME]]',
  summary: 'tells the address of a key, or makes a new key',
  about: `Prints the address of the key in a file, as terms name it. With --new it first makes a key, in the format of the Solana CLI and
readable by its owner alone; a file that exists is never overwritten. The key itself is never printed. With --mint it prints the
address of the key's own account of a token (associated), such as a reserve; --program says which program the token is of, as terms
name it. A key for much money belongs in a hardware or multisig wallet: see --export-unsigned of the verbs that send.`,
  examples: [
    'authority.json --new',
    'authority.json',
    'reserve.json --mint MINT --program token-2022',
    '- --json < authority.json',
  ],
  options: {
    new: { about: 'makes the file, with a new key' },
    mint: { value: 'ADDRESS', about: 'prints the key’s account of this token in place of its own address' },
    program: { value: 'spl-token|token-2022', about: 'of --mint: the token’s program; default spl-token' },
    json: { about: 'the result as JSON' },
  },
  async run(asked, io) {
    const [path] = takeWords(asked, ['a key file'])
    const isNew = asked.flags.has('new')
    const [mint] = asked.values.mint ?? []
    const said = mint?.slice(0, 50)
    if (mint !== undefined && !isSolanaAddress(mint)) throw refused(`--mint expected an address in base58, got ${said}`)
    const [program = 'spl-token'] = asked.values.program ?? []
    if (program !== 'spl-token' && program !== 'token-2022')
      throw refused(`--program expected spl-token or token-2022, got ${program.slice(0, 20)}`)
    if (mint === undefined && asked.values.program) throw refused('--program expected --mint with a token, got none')
    if (isNew) makeKey(path)
    const { address } = readKey('key', path, io)
    const account =
      mint === undefined ? undefined : associatedTokenAddress(address, mint, tokenProgram({ token: { program } }))
    const json = { address, ...(account !== undefined && { account }), new: isNew }
    io.out.write(asked.flags.has('json') ? `${safeJson(json)}\n` : `${account ?? address}\n`)
    return 0
  },
}

/** @throws Fault `bad_input` when the file exists or cannot be written */
function makeKey(path: string): void {
  if (path === '-') throw refused('--new expected a file, got - for standard input')
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32)
  const bytes = [...seed, ...publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)]
  try {
    const file = openSync(path, 'wx', 0o600)
    writeAll(file, `${JSON.stringify(bytes)}\n`)
    fsyncSync(file)
    closeSync(file)
  } catch (cause) {
    const { code = 'it failed' } = cause as NodeJS.ErrnoException
    const told = { EEXIST: 'it exists already', ENOENT: 'there is no such folder' }[code]
    throw refused(`cannot make ${path}: ${told ?? code}`)
  }
}
