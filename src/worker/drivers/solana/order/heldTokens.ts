import { isSolanaAddress } from '../../../../events/values/solana/address.ts'
import { mostTokens } from '../../../../events/subjects/sale/balance.ts'
import { isBaseUnits } from '../../../../events/values/amount.ts'
import {
  array,
  literal,
  looseObject,
  string,
  type ValueOf,
  where,
  wholeNumber,
  wordOf,
} from '../../../../runtime/schema/schema.ts'
import { programs } from '../../../chains/solana/programs.ts'
import { readAnswer } from '../../../rpc/answers.ts'
import type { InputOf } from '../../drive.ts'
import type { Rpc } from '../rpc.ts'

const address = where(string(), isSolanaAddress)
const info = looseObject({
  mint: address,
  owner: address,
  state: wordOf(['uninitialized', 'initialized', 'frozen']),
  tokenAmount: looseObject({ amount: where(string({ most: 20 }), isBaseUnits), decimals: wholeNumber(0, 255) }),
})
const parsed = looseObject({ type: literal('account'), info })
/** parsed by the node */
export const accountsOfOwner = looseObject({
  value: array(looseObject({ pubkey: address, account: looseObject({ data: looseObject({ parsed }) }) })),
})

type Held = NonNullable<InputOf<'chain.balances'>['tokens']>[number]

/**
 * @param wanted a mint that is among them whatever its amount
 * @returns the tokens that an account holds, of both token programs, at most `mostTokens`: the largest amounts in whole tokens;
 *   of several accounts of one mint the largest
 */
export async function readHeldTokens(rpc: Pick<Rpc, 'call'>, owner: string, wanted?: string): Promise<Held[]> {
  const ofProgram = async (program: string): Promise<Held[]> => {
    const options = { encoding: 'jsonParsed', commitment: 'confirmed' }
    const result = await rpc.call('getTokenAccountsByOwner', [owner, { programId: program }, options])
    const { value } = readAnswer(accountsOfOwner, result, 'getTokenAccountsByOwner')
    return value.flatMap(one => heldIn(one, owner, program))
  }
  const all = (await Promise.all([programs.token, programs.token2022].map(ofProgram))).flat()
  const largest = new Map<string, Held>()
  for (const one of all.sort(byAmount)) if (!largest.has(one.mint)) largest.set(one.mint, one)
  const listed = [...largest.values()].slice(0, mostTokens)
  const asked = wanted === undefined ? undefined : largest.get(wanted)
  return asked === undefined || listed.includes(asked) ? listed : [asked, ...listed.slice(0, -1)]
}

/** Base units say little: a stranger's token may have any number of decimals. */
function byAmount(one: Held, other: Held): number {
  const [a, b] = [
    BigInt(one.amount) * 10n ** BigInt(other.decimals),
    BigInt(other.amount) * 10n ** BigInt(one.decimals),
  ]
  return a === b ? 0 : a < b ? 1 : -1
}

function heldIn(one: ValueOf<typeof accountsOfOwner>['value'][number], owner: string, program: string): Held[] {
  const { pubkey, account } = one
  const { mint, owner: named, state, tokenAmount } = account.data.parsed.info
  const { amount, decimals } = tokenAmount
  if (named !== owner || amount === '0' || state === 'uninitialized') return []
  return [{ mint, program, decimals, account: pubkey, amount, ...(state === 'frozen' && { frozen: true as const }) }]
}
