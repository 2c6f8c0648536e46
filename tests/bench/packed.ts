/** How many bytes an input and what it causes add to a recording once it is packed. */
import { gzipSync } from 'node:zlib'
import { linesOf, type Stepped, visitOf } from './visit.ts'

/** Bytes for one input with its facts and effects. */
export type Size = { packed: number; plain: number }

/** What goes on while nobody does anything. */
const quietTypes = /^(?:timer\.fired|page\..*|chain\.(?:sale|notices|balances)|relay\.(?:taken|opened|closed|pong))$/

/**
 * Takes all inputs of a kind out of a visit and sees how much smaller the rest is.
 *
 * @param recording a purchase over WalletConnect; the hour after it, in which the page stays open, is added
 */
export function packed(recording: string): { quiet: Size; relay: Size } {
  const { purchase, hour } = visitOf(recording)
  return {
    quiet: sizeOf([...purchase, ...hour], type => quietTypes.test(type)),
    // Alone in a short recording, where little before them is alike
    relay: sizeOf(purchase, type => type === 'relay.message'),
  }
}

function sizeOf(log: readonly Stepped[], isMeant: (type: string) => boolean): Size {
  const meant = log.filter(({ input }) => isMeant(input.type))
  if (meant.length === 0) throw new Error('the visit expected inputs of the kind that is measured, got none')
  const [whole, rest] = [textOf(log), textOf(log.filter(({ input }) => !isMeant(input.type)))]
  const size = (of: (text: string) => number) => (of(whole) - of(rest)) / meant.length
  return { packed: size(text => gzipSync(text).length), plain: size(text => text.length) }
}

function textOf(log: readonly Stepped[]): string {
  return linesOf(log)
    .map(line => `${line}\n`)
    .join('')
}
