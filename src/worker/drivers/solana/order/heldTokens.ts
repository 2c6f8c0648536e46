import { isSolanaAddress } from '../../../../events/values/address.ts'
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
const accountsOfOwner = looseObject({
  value: array(looseObject({ pubkey: address, account: looseObject({ data: looseObject({ parsed }) }) })),
})

type Held = NonNullable<InputOf<'chain.balances'>['tokens']>[number]

/** Most tokens of one account; those with the largest amounts stay. */
const mostTokens = 200

/** @returns the tokens that an account holds, of both token programs; of several accounts of one mint the largest */
export async function readHeldTokens(rpc: Pick<Rpc, 'call'>, owner: string): Promise<Held[]> {
  const ofProgram = async (program: string): Promise<Held[]> => {
    const options = { encoding: 'jsonParsed', commitment: 'confirmed' }
    const result = await rpc.call('getTokenAccountsByOwner', [owner, { programId: program }, options])
    const { value } = readAnswer(accountsOfOwner, result, 'getTokenAccountsByOwner')
    return value.flatMap(one => heldIn(one, owner, program))
  }
  const all = (await Promise.all([programs.token, programs.token2022].map(ofProgram))).flat()
  const largest = new Map<string, Held>()
  for (const one of all.sort((a, b) => (BigInt(a.amount) < BigInt(b.amount) ? 1 : -1)))
    if (!largest.has(one.mint)) largest.set(one.mint, one)
  return [...largest.values()].slice(0, mostTokens)
}

function heldIn(one: ValueOf<typeof accountsOfOwner>['value'][number], owner: string, program: string): Held[] {
  const { pubkey, account } = one
  const { mint, owner: named, state, tokenAmount } = account.data.parsed.info
  const { amount, decimals } = tokenAmount
  if (named !== owner || amount === '0' || state === 'uninitialized') return []
  return [{ mint, program, decimals, account: pubkey, amount, ...(state === 'frozen' && { frozen: true as const }) }]
}
