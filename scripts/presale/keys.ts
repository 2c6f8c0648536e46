/** Signing keys. Their content stands in no output, no error and no file of ours. */
import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { decodeBase58, encodeBase58 } from '../../src/events/values/solana/base58.ts'
import type { Fault } from '../../src/runtime/failure.ts'
import { whyUnread } from '../../src/main/replay/files.ts'
import { refused } from '../../src/main/replay/verb.ts'
import type { PresaleIo, SigningKey } from './verb.ts'

/** DER around an Ed25519 seed. @see RFC 8410, §7 */
const seedPrefix = Buffer.from('302e020100300506032b657004220420', 'hex')
/** Octets of a file longer than any key: text beyond is no key. */
const longest = 4096

/**
 * Reads a key: a JSON list of 64 numbers, as the Solana CLI writes it, or base58 of the same 64 bytes. A file that others may read
 * causes a warning.
 *
 * @param option names the key in errors: `--keypair`
 * @param path a file, or `-` for standard input
 * @throws Fault `bad_input`, which quotes nothing of the content, when it is no key or its halves do not belong together, or when a key
 *   stands in place of the path
 */
export function readKey(option: string, path: string, io: Pick<PresaleIo, 'err' | 'input'>): SigningKey {
  if (mayBeKey(path)) throw keyGiven(option)
  const name = path === '-' ? `${option} from standard input` : `${option} ${path}`
  const bytes = keyBytes(textOfKey(name, path, io))
  if (!bytes)
    throw refused(`${name} expected a key: a JSON list of 64 numbers, or base58 of 64 bytes, got something else`)
  const secret = secretOf(bytes)
  const address = publicHalf(secret)
  if (address !== encodeBase58(bytes.subarray(32)))
    throw refused(`${name} expected the public half of its secret half in the last 32 bytes, got another one`)
  if (path !== '-') warnIfOpen(name, path, io)
  return { address, sign: message => new Uint8Array(sign(null, message, secret)) }
}

/** @returns a Fault `bad_input` about an argument that is a key, of which it quotes nothing. `about`: the argument's name */
export function keyGiven(about?: string): Fault {
  const subject = about === undefined ? '' : `${about} `
  return refused(
    `${subject}expected a file or -, got a key or an address: a key is in your shell’s history now, so replace it`,
  )
}

/** Bytes as decimal numbers: one less than a seed has, as a shell may have taken the first one for another argument. */
const listedKey = /\d{1,3}(?:[\s,]+\d{1,3}){30,}/
const hexKey = /^(?:0x)?(?:[0-9a-f]{64}|[0-9a-f]{128})$/i
/** A recovery phrase of 12 words or more, one less for the same reason. */
const phrase = /(?<!\S)[a-z]{3,8}(?:[\s,]+[a-z]{3,8}){10,}(?!\S)/i
/** Octets of a longest base58 of 64 bytes, and more. */
const longestBase58 = 100

/** Whether an argument is a secret that has the form of nothing else: a list of bytes, hexadecimal, a phrase, or a whole key. */
export function isSecret(argument: string): boolean {
  const text = unquoted(argument)
  return listedKey.test(text) || hexKey.test(text) || phrase.test(text) || isKeyText(text)
}

/** Whether an argument may be a secret: a seed in base58 has the form of an address, a key the form of a signature. */
export function mayBeKey(argument: string): boolean {
  const text = unquoted(argument)
  const length = text.length > longestBase58 ? undefined : decodeBase58(text)?.length
  return length === 32 || length === 64 || isSecret(text)
}

function unquoted(argument: string): string {
  return argument.replace(/^["'\s]+|["'\s]+$/g, '')
}

/** Whether a text is, or lists, a key: 64 bytes whose halves belong together. */
export function isKeyText(text: string): boolean {
  const lists = text.match(/\[\s*\d{1,3}(?:\s*,\s*\d{1,3}){63}\s*\]/g) ?? []
  return [text, ...lists].some(one => {
    const bytes = keyBytes(one)
    return bytes !== undefined && publicHalf(secretOf(bytes)) === encodeBase58(bytes.subarray(32))
  })
}

function secretOf(bytes: Uint8Array): KeyObject {
  const key = Buffer.concat([seedPrefix, bytes.subarray(0, 32)])
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' })
}

function publicHalf(secret: KeyObject): string {
  const spki = createPublicKey(secret).export({ format: 'der', type: 'spki' })
  return encodeBase58(spki.subarray(spki.length - 32))
}

function textOfKey(name: string, path: string, { input }: Pick<PresaleIo, 'input'>): string {
  try {
    return path === '-' ? (input?.() ?? readFileSync(0, 'utf8')) : readFileSync(path, 'utf8')
  } catch (cause) {
    throw refused(`cannot read ${name}: ${whyUnread(cause)}`)
  }
}

function keyBytes(text: string): Uint8Array | undefined {
  const trimmed = text.trim()
  if (trimmed.length > longest) return undefined
  const bytes = trimmed.startsWith('[') ? listedBytes(trimmed) : decodeBase58(trimmed)
  return bytes?.length === 64 ? bytes : undefined
}

function listedBytes(text: string): Uint8Array | undefined {
  try {
    const list: unknown = JSON.parse(text)
    const isByte = (value: unknown) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 255
    return Array.isArray(list) && list.every(isByte) ? Uint8Array.from(list as number[]) : undefined
  } catch {
    // The parser's message quotes the text
    return undefined
  }
}

function warnIfOpen(name: string, path: string, { err }: Pick<PresaleIo, 'err'>): void {
  const mode = statSync(path).mode & 0o777
  if ((mode & 0o077) !== 0 && process.platform !== 'win32')
    err.write(`warning: ${name} is open to other users of this machine (mode ${mode.toString(8)}): run chmod 600\n`)
}
