/** Secrets of a simulated vault, which no log may hold: key bytes, in every written form. */
import { encodeBase58 } from '../../src/events/values/solana/base58.ts'

/** @returns 32 bytes as the key of a topic; the same topic has the same key */
export function keyOfTopic(topic: string): Uint8Array {
  let state = 0x811c9dc5
  for (let at = 0; at < topic.length; at++) state = Math.imul(state ^ topic.charCodeAt(at), 0x01000193)
  return Uint8Array.from({ length: 32 }, () => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9
    return state >>> 24
  })
}

const hexOf = (bytes: Uint8Array) => Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')

/** @returns the form in which a text holds the key of a topic; undefined if it does not */
export function formOfKeyIn(text: string, topic: string): string | undefined {
  const bytes = keyOfTopic(topic)
  const raw = String.fromCharCode(...bytes)
  const base64 = btoa(raw).replace(/=+$/, '')
  const forms: Record<string, string> = {
    'as bytes': JSON.stringify(raw).slice(1, -1),
    'as numbers': Array.from(bytes).join(),
    // As in a pairing's code
    'in hex': hexOf(bytes),
    'in upper hex': hexOf(bytes).toUpperCase(),
    'in base64': base64,
    'in base64url': base64.replaceAll('+', '-').replaceAll('/', '_'),
    'in base58': encodeBase58(bytes),
  }
  return Object.keys(forms).find(form => text.includes(forms[form] ?? ''))
}
