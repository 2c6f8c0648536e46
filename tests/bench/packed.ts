/** Bytes that an input and its consequences add to a compressed recording. */
import { gzipSync } from 'node:zlib'
import { linesOf, type Stepped, visitOf } from './visit.ts'

/** Bytes for one input with its facts and effects. */
export type Size = { packed: number; plain: number }

/** Inputs of an idle page. */
const quietTypes = /^(?:timer\.fired|page\..*|chain\.(?:sale|notices|balances)|relay\.(?:taken|opened|closed|pong))$/

/**
 * Measures how much smaller a visit gets without all inputs of a kind.
 *
 * @param recording a purchase over WalletConnect; an hour of the open page is appended
 */
export function packed(recording: string): { quiet: Size; relay: Size } {
  const { purchase, hour } = visitOf(recording)
  return {
    quiet: sizeOf([...purchase, ...hour], type => quietTypes.test(type)),
    // In the short recording alone, where little similar data precedes them
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
