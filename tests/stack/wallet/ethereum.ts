/** An Ethereum account of the stack's wallets: real keys and signatures, and no chain behind it. */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Proposed } from './namespaces.ts'

export type EthereumAccount = {
  /** `0x` and 40 hex digits, lower case */
  address: string
  /** @throws Error for a method it does not know, or params of another form */
  answer(asked: { method: string; params: unknown }): string
}

export const ethereumMethods = ['personal_sign', 'eth_sendTransaction', 'wallet_switchEthereumChain']

/** @param key 32 bytes */
export function createEthereumAccount(key: Uint8Array): EthereumAccount {
  const publicKey = secp256k1.getPublicKey(key, false)
  return {
    address: addressOf(publicKey),
    answer({ method, params }) {
      const [first] = Array.isArray(params) ? (params as unknown[]) : []
      if (method === 'personal_sign' && typeof first === 'string') {
        const signature = secp256k1.sign(personalHash(first), key, { prehash: false, format: 'recovered' })
        const recovery = signature[0] ?? 0
        return `0x${bytesToHex(signature.subarray(1))}${bytesToHex(Uint8Array.of(27 + recovery))}`
      }
      if (method === 'eth_sendTransaction') return `0x${bytesToHex(keccak_256(utf8ToBytes(JSON.stringify(first))))}`
      throw new Error(`this wallet does not know ${method}`)
    },
  }
}

/** @returns the address that made a `personal_sign` signature over a hex text */
export function personalSigner(message: string, signature: string): string {
  const bytes = hexToBytes(signature.slice(2))
  const recovered = new Uint8Array([(bytes[64] ?? 27) - 27, ...bytes.subarray(0, 64)])
  const point = secp256k1.recoverPublicKey(recovered, personalHash(message), { prehash: false })
  return addressOf(secp256k1.Point.fromBytes(point).toBytes(false))
}

/** Approves the supported part of an Ethereum proposal; undefined if there is none. */
export function approveEthereum(
  proposed: readonly Proposed[],
  { address, methods = ethereumMethods }: { address: string; methods?: string[] | undefined },
): { eip155: { chains: string[]; accounts: string[]; methods: string[]; events: string[] } } | undefined {
  const asked = proposed.map(one => one.eip155).filter(one => one !== undefined)
  const chains = [...new Set(asked.flatMap(one => one.chains ?? []))]
  if (chains.length === 0) return undefined
  const wanted = asked.flatMap(one => one.methods ?? [])
  return {
    eip155: {
      chains,
      accounts: chains.map(chain => `${chain}:${address}`),
      methods: methods.filter(method => wanted.includes(method)),
      events: [...new Set(asked.flatMap(one => one.events ?? []))],
    },
  }
}

function addressOf(publicKey: Uint8Array): string {
  return `0x${bytesToHex(keccak_256(publicKey.subarray(1)).subarray(12))}`
}

/** @see EIP-191, version 0x45 */
function personalHash(message: string): Uint8Array {
  const bytes = hexToBytes(message.slice(2))
  return keccak_256(new Uint8Array([...utf8ToBytes(`\x19Ethereum Signed Message:\n${bytes.length}`), ...bytes]))
}
