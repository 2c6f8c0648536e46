import type { Block } from '../blocks.ts'
import { fromBase58, fromBase64 } from '../bytes.ts'
import { type AccountForm, accountJson } from '../encode.ts'
import { invalidParams } from '../errors.ts'
import { isTokenProgram, readMint, readTokenAccount, tokenAmount } from '../tokens.ts'
import type { Account } from '../vm.ts'
import {
  addressesParam,
  addressParam,
  type Call,
  type Config,
  configParam,
  inContext,
  type Method,
  needs,
  seenBlock,
  wholeParam,
} from './params.ts'

/** Methods that read accounts as they were at the asked commitment. */
export const stateMethods: Record<string, Method> = {
  getBalance(call) {
    needs(call, 1)
    const block = seenBlock(call, configParam(call.params[1]))
    return inContext(block, call.chain.accounts.at(addressParam(call.params[0]), block)?.lamports ?? 0n)
  },
  getAccountInfo(call) {
    needs(call, 1)
    const config = configParam(call.params[1])
    const block = seenBlock(call, config)
    return inContext(block, shown(call, addressParam(call.params[0]), block, config))
  },
  getMultipleAccounts(call) {
    needs(call, 1)
    const config = configParam(call.params[1])
    const block = seenBlock(call, config)
    return inContext(
      block,
      addressesParam(call.params[0]).map(address => shown(call, address, block, config)),
    )
  },
  getProgramAccounts(call) {
    needs(call, 1)
    const program = addressParam(call.params[0])
    const config = configParam(call.params[1])
    const block = seenBlock(call, config)
    const filters = Array.isArray(config.filters) ? config.filters.slice(0, 4).map(filterOf) : []
    const list = call.chain.accounts.written().flatMap(pubkey => {
      const account = call.chain.accounts.at(pubkey, block)
      if (account?.owner !== program || !filters.every(filter => filter(account.data))) return []
      return [{ pubkey, account: shown(call, pubkey, block, config) }]
    })
    return config.withContext === true ? inContext(block, list) : list
  },
  getTokenAccountBalance(call) {
    needs(call, 1)
    const block = seenBlock(call, configParam(call.params[1]))
    const account = call.chain.accounts.at(addressParam(call.params[0]), block)
    if (!account) throw invalidParams('Invalid param: could not find account')
    const token = readTokenAccount(account)
    if (!token) throw invalidParams('Invalid param: not a Token account')
    return inContext(block, tokenAmount(token.amount, decimalsAt(call, block)(token.mint)))
  },
  getTokenSupply(call) {
    needs(call, 1)
    const block = seenBlock(call, configParam(call.params[1]))
    const mint = mintAt(call, addressParam(call.params[0]), block)
    return inContext(block, tokenAmount(mint.supply, mint.decimals))
  },
  getTokenLargestAccounts(call) {
    needs(call, 1)
    const block = seenBlock(call, configParam(call.params[1]))
    const address = addressParam(call.params[0])
    const { decimals } = mintAt(call, address, block)
    const amounts = call.chain.accounts
      .tokenAccounts('mint', address, block)
      .map(found => ({ address: found.address, amount: readTokenAccount(found.account)?.amount ?? 0n }))
      .sort((a, b) => (a.amount < b.amount ? 1 : -1))
    return inContext(
      block,
      amounts.slice(0, 20).map(found => ({ address: found.address, ...tokenAmount(found.amount, decimals) })),
    )
  },
  getTokenAccountsByOwner: call => tokenAccountsBy(call, 'owner'),
  getTokenAccountsByDelegate: call => tokenAccountsBy(call, 'delegate'),
  getMinimumBalanceForRentExemption(call) {
    needs(call, 1)
    return call.chain.vm.minimumRent(wholeParam(call.params[0], 10 * 1024 * 1024))
  },
  getSupply(call) {
    const block = seenBlock(call, configParam(call.params[0]))
    const addresses = call.chain.accounts.written()
    const total = addresses.reduce((sum, address) => sum + (call.chain.accounts.at(address, block)?.lamports ?? 0n), 0n)
    return inContext(block, { total, circulating: total, nonCirculating: 0, nonCirculatingAccounts: [] })
  },
}

function tokenAccountsBy(call: Call, by: 'owner' | 'delegate'): unknown {
  needs(call, 2)
  const key = addressParam(call.params[0])
  const filter = configParam(call.params[1])
  const config = configParam(call.params[2])
  const block = seenBlock(call, config)
  let wanted: (account: Account) => boolean
  if (filter.mint !== undefined) {
    const mint = addressParam(filter.mint)
    if (!readMint(call.chain.accounts.at(mint, block))) throw invalidParams('Invalid param: could not find mint')
    wanted = account => readTokenAccount(account)?.mint === mint
  } else {
    const program = addressParam(filter.programId)
    if (!isTokenProgram(program)) throw invalidParams('Invalid param: unrecognized Token program id')
    wanted = account => account.owner === program
  }
  const list = call.chain.accounts
    .tokenAccounts(by, key, block)
    .filter(found => wanted(found.account))
    .map(({ address }) => ({ pubkey: address, account: shown(call, address, block, config) }))
  return inContext(block, list)
}

function shown(call: Call, address: string, block: Block, config: Config): unknown {
  const form: AccountForm = { encoding: config.encoding, dataSlice: config.dataSlice }
  return accountJson(address, call.chain.accounts.at(address, block), form, decimalsAt(call, block))
}

const decimalsAt = (call: Call, block: Block) => (mint: string) =>
  readMint(call.chain.accounts.at(mint, block))?.decimals ?? 0

function mintAt(call: Call, address: string, block: Block) {
  const account = call.chain.accounts.at(address, block)
  if (!account) throw invalidParams('Invalid param: could not find mint')
  const mint = readMint(account)
  if (!mint) throw invalidParams('Invalid param: not a Token mint')
  return mint
}

function filterOf(filter: unknown): (data: Uint8Array) => boolean {
  const { dataSize, memcmp } = configParam(filter)
  if (dataSize !== undefined) {
    const size = wholeParam(dataSize)
    return data => data.length === size
  }
  const { offset, bytes, encoding } = configParam(memcmp)
  const at = wholeParam(offset)
  const wanted =
    typeof bytes === 'string' ? (encoding === 'base64' ? fromBase64(bytes) : fromBase58(bytes, 200)) : undefined
  if (!wanted) throw invalidParams('Invalid params: filter expected dataSize or memcmp with offset and encoded bytes')
  return data => Buffer.from(data.subarray(at, at + wanted.length)).equals(Buffer.from(wanted))
}
