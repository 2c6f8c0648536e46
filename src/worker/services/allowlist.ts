/** The allowlist of a sale: one address a line. */
import { Fault } from '../../runtime/failure.ts'
import { isSolanaAddress } from '../../events/values/solana/address.ts'

/**
 * @returns the accounts
 * @throws Fault `terms_invalid` naming the first line that is not an address: a partial list would lock people out
 */
export function readAllowlist(text: string): ReadonlySet<string> {
  const lines = text.split('\n').map(line => line.replace(/\r$/, ''))
  if (lines.at(-1) === '') lines.pop()
  const wrong = lines.findIndex(line => !isSolanaAddress(line))
  if (wrong >= 0)
    throw new Fault('terms_invalid', `the list of the sale expected one address a line, line ${wrong + 1} is none`)
  return new Set(lines)
}
