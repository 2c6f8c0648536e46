import { decodeBase58 } from './base58.ts'

/** @returns whether `text` is base58 of exactly 32 bytes: a Solana public key, mint, program or hash */
export function isSolanaAddress(text: unknown): text is string {
  if (typeof text !== 'string' || text.length < 32 || text.length > 44) return false
  return decodeBase58(text)?.length === 32
}

/** @returns first and last four characters with an ellipsis; short texts stay whole */
export function shortAddress(address: string): string {
  return address.length <= 9 ? address : `${address.slice(0, 4)}…${address.slice(-4)}`
}

/** One stop of the avatar's radial gradient: offset as SVG takes it, colour as `#rrggbb`. */
export type AvatarStop = { offset: string; color: string }

/**
 * Five tints of one colour, each 15 % nearer to white. The colour is the first six hex characters found in the
 * address, upper case counted as lower; an address with fewer is filled up with `0`.
 *
 * @returns the tints from full colour to lightest, as `#rrggbb`
 */
export function avatarTints(address: string): string[] {
  const hex = (address.toLowerCase().match(/[0-9a-f]/g) ?? []).slice(0, 6).join('').padEnd(6, '0')
  const channels = [0, 2, 4].map(at => Number.parseInt(hex.slice(at, at + 2), 16))
  return [0, 15, 30, 45, 60].map(percent => {
    const mixed = channels.map(value => Math.floor((value * 100 + (255 - value) * percent + 50) / 100))
    return `#${mixed.map(value => value.toString(16).padStart(2, '0')).join('')}`
  })
}

/** @returns the stops of the avatar's radial gradient (centre .65 .4, radius .88), from the inside out */
export function avatarStops(address: string): AvatarStop[] {
  const [full = '', second = '', third = '', fourth = '', lightest = ''] = avatarTints(address)
  return [
    { offset: '.005', color: '#fff' },
    { offset: '.31', color: lightest },
    { offset: '.52', color: third },
    { offset: '.66', color: second },
    { offset: '.82', color: full },
    { offset: '1', color: fourth },
  ]
}
