/** `npm run faucet`: gives an address SOL and USDC of the local stack. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

/** File in the stack's folder with the address of its chain. */
export const stackNote = 'rpc'

const usage = `Usage: npm run faucet -- ADDRESS [--sol N] [--usdc N] [--mai N] [--url RPC]

Gives an address money of the running local stack: 10 SOL and 500 USDC without amounts.
--mai gives tokens of the local sale, for the reserve of a sale of your own.
--url is the stack's Solana RPC, where several are running; npm start prints it.
`

/** `root`: the folder of the stack's note. */
export type FaucetIo = { out(text: string): void; err(text: string): void; root: string; call?: typeof fetch }

/** @returns the exit code: 0 given, 1 the stack refused or does not answer, 2 a wrong command */
export async function faucetCommand(
  args: readonly string[],
  { out, err, root, call = fetch }: FaucetIo,
): Promise<number> {
  const asked = readArguments(args)
  if (typeof asked === 'string') {
    err(`${asked}\n\n${usage}`)
    return 2
  }
  if (asked === undefined) {
    out(usage)
    return 0
  }
  const { address, amounts } = asked
  const url = asked.url ?? notedRpc(root)
  if (url === undefined) {
    err('No local stack is running here. Start one with npm start, or name its Solana RPC with --url.\n')
    return 1
  }
  let status: number
  let said: { signatures?: string[]; error?: string }
  try {
    const headers = { 'content-type': 'application/json' }
    const answer = await call(new URL('/faucet', url), {
      method: 'POST',
      headers,
      body: JSON.stringify({ address, ...amounts }),
    })
    status = answer.status
    said = JSON.parse(await answer.text()) as typeof said
  } catch (cause) {
    const isSilent = cause instanceof TypeError
    const why = isSilent ? 'does not answer: is the stack still running?' : 'is no local stack: it has no faucet'
    err(`${url} ${why} npm start prints its Solana RPC.\n`)
    return 1
  }
  if (status !== 200) {
    err(`The faucet refused: ${said.error ?? `status ${status}`}.\n`)
    return 1
  }
  const given = Object.entries(amounts).map(([symbol, amount]) => `${amount} ${symbol.toUpperCase()}`)
  out(`Gave ${given.join(' and ')} to ${address}.\n`)
  return 0
}

type Asked = { address: string; amounts: { sol?: string; usdc?: string; mai?: string }; url?: string }

/** @returns a sentence for a wrong command, undefined for a call for help */
function readArguments(args: readonly string[]): Asked | string | undefined {
  let parsed
  try {
    parsed = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        sol: { type: 'string' },
        usdc: { type: 'string' },
        mai: { type: 'string' },
        url: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause)
  }
  const { sol, usdc, mai, url, help } = parsed.values
  if (help) return undefined
  const [address, ...more] = parsed.positionals
  if (address === undefined || more.length > 0)
    return `expected one address, got ${address === undefined ? 'none' : parsed.positionals.length}`
  if (!/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(address))
    return `expected a Solana address in base58, got ${address.slice(0, 60)}`
  for (const [name, amount] of Object.entries({ sol, usdc, mai })) {
    if (amount !== undefined && !/^\d{1,12}(?:\.\d+)?$/.test(amount))
      return `--${name} expected an amount such as 1.5, got ${amount.slice(0, 40)}`
  }
  if (url !== undefined && !URL.canParse(url))
    return `--url expected an address such as http://127.0.0.1:8899, got ${url}`
  const amounts =
    sol === undefined && usdc === undefined && mai === undefined
      ? { sol: '10', usdc: '500' }
      : { ...(sol !== undefined && { sol }), ...(usdc !== undefined && { usdc }), ...(mai !== undefined && { mai }) }
  return { address, amounts, ...(url !== undefined && { url }) }
}

/** @returns the address of the running stack's chain; undefined where none is noted */
export function notedRpc(root: string): string | undefined {
  try {
    return readFileSync(join(root, '.stack', stackNote), 'utf8').trim()
  } catch {
    return undefined
  }
}
