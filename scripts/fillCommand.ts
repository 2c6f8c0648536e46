/** `npm run presale:fill`: fills a sale of your own on the local chain with payments of all kinds. */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type FaucetIo, notedRpc } from './faucetCommand.ts'

const usage = `Usage: npm run presale:fill -- --terms FILE [--orders N] [--when open|paused|closed] [--url RPC]

Lets buyers of the running local stack meet a published sale of your own: 10,000 payments without --orders, of every kind that
its state allows. --when tells this state: open without it; paused after "presale pause"; closed after "presale close".
--url is the stack's Solana RPC, where several are running; npm start prints it.
`

/** @returns the exit code: 0 filled, 1 the stack refused or does not answer, 2 a wrong command */
export async function fillCommand(
  args: readonly string[],
  { out, err, root, call = fetch }: FaucetIo,
): Promise<number> {
  const asked = readArguments(args)
  if (asked === undefined) {
    out(usage)
    return 0
  }
  if (typeof asked === 'string') {
    err(`${asked}\n\n${usage}`)
    return 2
  }
  const url = asked.url ?? notedRpc(root)
  if (url === undefined) {
    err('No local stack is running here. Start one with npm run stack, or name its Solana RPC with --url.\n')
    return 1
  }
  const headers = { 'content-type': 'application/json' }
  const { terms, orders, when } = asked
  let status: number
  let said: { kinds?: Record<string, number>; error?: string }
  try {
    const body = JSON.stringify({ terms, orders, when })
    const answer = await call(new URL('/fill', url), { method: 'POST', headers, body })
    status = answer.status
    said = JSON.parse(await answer.text()) as typeof said
  } catch (cause) {
    const isSilent = cause instanceof TypeError
    err(
      `${url} ${isSilent ? 'does not answer: is the stack still running?' : 'is no local stack: it fills no sale.'}\n`,
    )
    return 1
  }
  const { kinds, error } = said
  if (status !== 200 || !kinds) {
    err(`The stack refused: ${error ?? `status ${status}`}.\n`)
    return 1
  }
  const sum = Object.values(kinds).reduce((all, count) => all + count, 0)
  out(`${sum} payments, final in 13 s:\n`)
  for (const [kind, count] of Object.entries(kinds)) out(`  ${String(count).padStart(6)}  ${kind}\n`)
  return 0
}

type Asked = { terms: unknown; orders: number; when: string; url?: string }

/** @returns a sentence for a wrong command, undefined for a call for help */
function readArguments(args: readonly string[]): Asked | string | undefined {
  let values
  try {
    values = parseArgs({
      args: [...args],
      options: {
        terms: { type: 'string' },
        orders: { type: 'string', default: '10000' },
        when: { type: 'string', default: 'open' },
        url: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause)
  }
  const { terms, orders, when, url, help } = values
  if (help) return undefined
  if (terms === undefined) return 'expected --terms FILE with the published terms, got none'
  if (!/^[1-9]\d{0,5}$/.test(orders)) return `--orders expected a whole number, got ${orders.slice(0, 40)}`
  if (url !== undefined && !URL.canParse(url))
    return `--url expected an address such as http://127.0.0.1:8899, got ${url}`
  try {
    return {
      terms: JSON.parse(readFileSync(terms, 'utf8')),
      orders: Number(orders),
      when,
      ...(url !== undefined && { url }),
    }
  } catch {
    return `--terms expected a file with JSON, got none at ${terms}`
  }
}
