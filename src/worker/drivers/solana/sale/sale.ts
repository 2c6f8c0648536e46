import type { EffectData } from '../../../../events/effect.ts'
import { Fault } from '../../../../runtime/failure.ts'
import { associatedTokenAddress } from '../../../chains/solana/ata.ts'
import { clockSysvar, programs } from '../../../chains/solana/programs.ts'
import { readClock, readMint, readTokenAccount } from '../../../rpc/accountData.ts'
import { genesisHash, readAnswer } from '../../../rpc/answers.ts'
import { answered, drive } from '../../drive.ts'
import type { Drive } from '../../../../runtime/host/driver.ts'
import { readHeldTokens } from '../order/heldTokens.ts'
import type { Rpc } from '../rpc.ts'
import { createAccountsReader } from './accountsReader.ts'
import { memberFor, type SaleBackend, type SaleMembers } from './saleBackend.ts'
import { uncontradicted } from './uncontradicted.ts'

type Asset = { symbol: string; mint?: string }

/**
 * Reads the chain's identity, the totals of the sale, the balances of an account, and the token's mint. One request reads all that one step
 * orders, however many assets the sale has.
 */
export function createSaleDriver({ rpc }: { rpc: Rpc }): {
  'chain.identify': Drive
  'chain.readSale': Drive
  'chain.readMint': Drive
  'chain.readBalances': Drive
} {
  const readAccounts = createAccountsReader(rpc)
  return {
    'chain.identify': drive(async () => {
      const hash = readAnswer(genesisHash, await rpc.chain(), 'getGenesisHash')
      return answered({
        type: 'chain.identified',
        data: { genesisHash: hash, caip2: `solana:${hash.slice(0, 32)}` },
      })
    }),

    'chain.readSale': drive<EffectData['chain.readSale']>(async sale => {
      const { readTotals } = memberFor(totalsReaders, sale)
      const data = await uncontradicted(rpc, other =>
        readTotals(other ? createAccountsReader(other) : readAccounts, sale),
      )
      return answered({ type: 'chain.sale', data })
    }),

    'chain.readMint': drive<EffectData['chain.readMint']>(async ({ mint, program }) => {
      const { found } = await readAccounts([mint])
      const owner = program === 'token-2022' ? programs.token2022 : programs.token
      return answered({ type: 'chain.mint', data: { mint, ...readMint(found[0], owner, `the mint ${mint}`) } })
    }),

    'chain.readBalances': drive<EffectData['chain.readBalances']>(async ({ account, assets, tokens, mint: wanted }) => {
      const places = assets.map(asset => placeOf(account, asset))
      const held = tokens ? readHeldTokens(rpc, account, wanted) : undefined
      const [{ slot, found }, all] = await Promise.all([readAccounts(places), held])
      const amounts = assets.flatMap(({ symbol, mint }, at) => {
        if (mint === undefined) return [[symbol, String(found[at]?.lamports ?? 0)]]
        const token = readTokenAccount(found[at], `the ${symbol} account`)
        // A token account that was handed over to another owner cannot pay
        return token?.owner === account && token.mint === mint ? [[symbol, String(token.amount)]] : []
      })
      return answered({
        type: 'chain.balances',
        data: { account, slot, amounts: Object.fromEntries(amounts), ...(all && { tokens: all }) },
      })
    }),
  }
}

/** Reads the treasury's own accounts. */
const readTotals: SaleBackend['readTotals'] = async (readAccounts, { treasury, assets }) => {
  const places = assets.map(asset => placeOf(treasury, asset))
  const { slot, found } = await readAccounts([clockSysvar, ...places])
  const balances = assets.map(({ symbol, mint }, at) => {
    const account = found[at + 1]
    if (mint === undefined) return [symbol, String(account?.lamports ?? 0)]
    const token = readTokenAccount(account, `the treasury's ${symbol} account`)
    if (token && token.mint !== mint) {
      throw new Fault('rpc_lying', `the treasury's ${symbol} account expected mint ${mint}, got ${token.mint}`)
    }
    if (token && token.owner !== treasury) {
      const sentence = `the treasury's ${symbol} account expected owner ${treasury}, got ${token.owner}`
      throw new Fault('treasury_mismatch', sentence)
    }
    return [symbol, String(token?.amount ?? 0n)]
  })
  return { slot, chainTime: readClock(found[0]), balances: Object.fromEntries(balances) }
}

export const totalsReaders: SaleMembers<'readTotals'> = { direct: { readTotals } }

/** @returns the address that holds the owner's asset */
function placeOf(owner: string, { mint }: Asset): string {
  return mint === undefined ? owner : associatedTokenAddress(owner, mint)
}
