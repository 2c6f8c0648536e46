/**
 * Checks that an account can pay an order, with exact amounts, before the wallet opens.
 * @see reference "Presale", §9 "Affordability"
 */
import { Fault } from '../../runtime/failure.ts'
import { rentMinimum } from '../../events/values/solana/rent.ts'

/**
 * The account's lamports, the order's amount and the whole fee. `spl`: an order in a token, in its base units; `rent` is paid
 * for the receiver's token account. `treasuryLamports` are the receiver's, which a transfer names the recipient.
 */
export type Funds = { lamports: bigint; fee: bigint } & (
  | { kind: 'native'; units: bigint; treasuryLamports: bigint; to?: 'recipient' }
  | { kind: 'spl'; symbol: string; units: bigint; holds: bigint | undefined; rent?: bigint }
)

/** @returns the reason the order cannot be paid, undefined when it can */
export function unaffordable(means: Funds): Fault | undefined {
  const { lamports, fee, units } = means
  if (means.kind === 'native') {
    const left = lamports - units - fee
    if (left < 0n) return short('insufficient_sol', 'lamports', 'with fee', units + fee, lamports)
    if (left > 0n && left < rentMinimum) return rent('the account', 'buyer', left, 'leave 0 or')
    const treasury = means.treasuryLamports + units
    if (treasury < rentMinimum) {
      const { to = 'treasury' } = means
      return rent(`the ${to}`, to, treasury, 'hold')
    }
    return undefined
  }
  if (means.holds === undefined) {
    return new Fault('no_token_account', `the order expected an account with ${means.symbol} to pay from, got none`)
  }
  if (means.holds < units) {
    return short('insufficient_token', `base units of ${means.symbol}`, 'in all', units, means.holds)
  }
  const needs = fee + rentMinimum + (means.rent ?? 0n)
  return lamports < needs ? short('insufficient_sol', 'lamports', 'for the fee and rent', needs, lamports) : undefined
}

function short(
  code: 'insufficient_sol' | 'insufficient_token',
  unit: string,
  what: string,
  needs: bigint,
  holds: bigint,
): Fault {
  return new Fault(code, `the order needs ${needs} ${unit} ${what}, the account holds ${holds}`, {
    needs: String(needs),
    holds: String(holds),
    short: String(needs - holds),
  })
}

function rent(who: string, whose: 'buyer' | 'treasury' | 'recipient', left: bigint, verb: string): Fault {
  const sentence = `${who} would hold ${left} lamports after the payment, expected to ${verb} ${rentMinimum} or more`
  return new Fault('rent', sentence, { whose, leaves: String(left), minimum: String(rentMinimum) })
}
