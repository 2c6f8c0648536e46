import { generateKeyPairSync } from 'node:crypto'
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { refused, safeJson, takeWords } from '../../../src/main/replay/verb.ts'
import { readKey } from '../keys.ts'
import type { PresaleVerb } from '../verb.ts'

/** `npm run presale -- key` */
export const key: PresaleVerb = {
  takes: 'FILE [--new]',
  summary: 'tells the address of a key, or makes a new key',
  about: `Prints the address of the key in a file, as terms name it. With --new it first makes a key, in the format of the Solana CLI and
readable by its owner alone; a file that exists is never overwritten. The key itself is never printed. A key for much money belongs
in a hardware or multisig wallet: see --export-unsigned of the verbs that send.`,
  examples: ['authority.json --new', 'authority.json', '- --json < authority.json'],
  options: { new: { about: 'makes the file, with a new key' }, json: { about: 'the result as JSON' } },
  async run(asked, io) {
    const [path] = takeWords(asked, ['a key file'])
    const isNew = asked.flags.has('new')
    if (isNew) makeKey(path)
    const { address } = readKey('key', path, io)
    io.out.write(asked.flags.has('json') ? `${safeJson({ address, new: isNew })}\n` : `${address}\n`)
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
    writeSync(file, `${JSON.stringify(bytes)}\n`)
    fsyncSync(file)
    closeSync(file)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw refused(`cannot make ${path}: ${code === 'EEXIST' ? 'it exists already' : (code ?? 'it failed')}`)
  }
}
