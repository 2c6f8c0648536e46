/**
 * Keys and encrypted messages of a session with a wallet app, after the Mobile Wallet Adapter protocol: the app proves that it
 * opened this page's link, because only it can use the link's public key.
 * @see https://solana-mobile.github.io/mobile-wallet-adapter/spec/spec.html
 */
import { Fault } from '../../../runtime/failure.ts'
import { fromUtf8, toBase64, toUtf8 } from '../../../worker/walletconnect/crypto/encoding.ts'

/** The key pair behind a link. */
type Association = { privateKey: CryptoKey; publicKey: Bytes }
type Bytes = Uint8Array<ArrayBuffer>

/** Length of a public key on P-256: 4, x and y. */
const keyLength = 65
const numberLength = 4
const ivLength = 12
const ecdh = { name: 'ECDH', namedCurve: 'P-256' } as const

export async function makeAssociation(): Promise<Association> {
  const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign'])
  return { privateKey: pair.privateKey, publicKey: await rawOf(pair.publicKey) }
}

/** @returns the link that has Android open a wallet app, which then listens at the port */
export function associationLink({ publicKey }: Association, port: number): string {
  const token = toBase64(publicKey).replace(/[/+=]/g, sign => ({ '/': '_', '+': '-', '=': '.' })[sign] ?? '')
  return `solana-wallet:/v1/associate/local?association=${token}&port=${port}&v=v1`
}

/** One hello of the page: its message, and the reader of the app's answer. */
export async function makeHello(association: Association) {
  const pair = await crypto.subtle.generateKey(ecdh, false, ['deriveBits'])
  const publicKey = await rawOf(pair.publicKey)
  const signing = { name: 'ECDSA', hash: 'SHA-256' }
  const signature = new Uint8Array(await crypto.subtle.sign(signing, association.privateKey, publicKey))
  return {
    message: Uint8Array.of(...publicKey, ...signature),
    /** @returns the session's cipher and the rest of the answer, which is encrypted already */
    async read(answer: Bytes): Promise<{ cipher: Cipher; rest: Bytes }> {
      const theirs = await crypto.subtle.importKey('raw', answer.slice(0, keyLength), ecdh, false, [])
      const secret = await crypto.subtle.deriveBits({ name: 'ECDH', public: theirs }, pair.privateKey, 256)
      const base = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveKey'])
      const how = { name: 'HKDF', hash: 'SHA-256', salt: association.publicKey, info: new Uint8Array() }
      const aes = { name: 'AES-GCM', length: 128 }
      const key = await crypto.subtle.deriveKey(how, base, aes, false, ['encrypt', 'decrypt'])
      return { cipher: createCipher(key), rest: answer.slice(keyLength) }
    },
  }
}

export type Cipher = {
  /** Encrypts the next message of this side. */
  seal(text: string): Promise<Bytes>
  /** @throws Fault `bad_response` for a message of another key, or one that is not the next */
  open(message: Bytes): Promise<string>
}

/** Each side numbers its messages from 1; the number is authenticated with the message. */
export function createCipher(key: CryptoKey): Cipher {
  let sent = 0
  let received = 0
  return {
    async seal(text) {
      const number = numbered((sent += 1))
      const iv = crypto.getRandomValues(new Uint8Array(ivLength))
      const sealed = await crypto.subtle.encrypt(
        { name: 'AES-GCM', iv, additionalData: number },
        key,
        toUtf8(text).slice(),
      )
      return Uint8Array.of(...number, ...iv, ...new Uint8Array(sealed))
    },
    async open(message) {
      received += 1
      const number = message.slice(0, numberLength)
      if (message.length < numberLength + ivLength || numbered(received).some((byte, at) => byte !== number[at]))
        throw new Fault('bad_response', `the wallet app expected to send message ${received}, sent another`)
      const iv = message.slice(numberLength, numberLength + ivLength)
      const how = { name: 'AES-GCM', iv, additionalData: number }
      const plain = await crypto.subtle.decrypt(how, key, message.slice(numberLength + ivLength)).catch(() => {
        throw new Fault('bad_response', 'the wallet app sent a message with another key')
      })
      return fromUtf8(new Uint8Array(plain), 'the wallet app’s message')
    },
  }
}

function numbered(number: number): Bytes {
  const bytes = new Uint8Array(numberLength)
  new DataView(bytes.buffer).setUint32(0, number)
  return bytes
}

async function rawOf(publicKey: CryptoKey): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.exportKey('raw', publicKey))
}
