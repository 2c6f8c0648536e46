/** Command line of `npm start` and `npm run stack`. */
import { parseArgs } from 'node:util'
import { type Ending, ENDINGS, type Fill } from '../tests/stack/solana/presale/fill/fill.ts'

const demoOrders = 10_000

export const startUsage = `Usage: npm start [-- --fresh] [--demo [--ending ${ENDINGS.join('|')}]]
       npm run stack [-- the same]

Starts the local stack and the page in development mode; npm run stack starts the stack alone. Ctrl-C ends everything.

  --fresh   forgets every stored chain first
  --demo    a sale with 10,000 orders of all kinds, on a chain of its own; the first start takes some 10 s to make them
  --ending  how that sale stands: live (default), sold out, closed after it sold out, or failed under its soft cap

Examples
  npm start
  npm start -- --demo
  npm start -- --demo --ending failed --fresh
`

/** `fill`: the orders of the demonstration. */
export type StartOptions = { fresh: boolean; stackOnly: boolean; fill?: Fill }

/** @returns a sentence for a wrong command, undefined for a call for help */
export function readStartOptions(args: readonly string[]): StartOptions | string | undefined {
  let values
  try {
    values = parseArgs({
      args: [...args],
      options: {
        fresh: { type: 'boolean', default: false },
        'stack-only': { type: 'boolean', default: false },
        demo: { type: 'boolean', default: false },
        ending: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause)
  }
  const { fresh, demo, ending, help } = values
  if (help) return undefined
  if (ending !== undefined && !demo) return '--ending expected --demo beside it'
  if (ending !== undefined && !isEnding(ending))
    return `--ending expected ${ENDINGS.join(', ')}, got ${ending.slice(0, 40)}`
  const fill: Fill = { orders: demoOrders, ...(ending !== undefined && { ending }) }
  return { fresh, stackOnly: values['stack-only'], ...(demo && { fill }) }
}

const isEnding = (word: string): word is Ending => (ENDINGS as string[]).includes(word)
