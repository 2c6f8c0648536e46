import { base64Text } from './bytes.ts'

/** A wallet's access to a chain. Amounts are base units as bigint. */
export type WalletChain = {
  /** CAIP-2 id: `solana:` and the first 32 characters of the genesis hash. */
  caip2(): Promise<string>
  balance(address: string): Promise<bigint>
  /** Every token the address holds, with its decimals. */
  tokens(address: string): Promise<{ mint: string; amount: bigint; decimals: number }[]>
  /** Submits signed wire bytes. @returns the transaction id; @throws Error with the node's sentence on a refusal */
  send(
    bytes: Uint8Array,
    options?: { skipPreflight?: boolean; preflightCommitment?: string; maxRetries?: number },
  ): Promise<string>
  /** Asks the local chain's faucet. Amounts are decimal text. */
  faucet(request: { address: string; sol: string; usdc: string }): Promise<void>
}

/** A chain behind a Solana JSON-RPC address. */
export function createWalletChain(rpcUrl: string): WalletChain {
  let calls = 0
  const call = async (method: string, params: unknown[]): Promise<unknown> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: ++calls, method, params })
    const response = await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const answer = (await response.json()) as { result?: unknown; error?: { message?: string } }
    if (answer.error) throw new Error(answer.error.message ?? `the chain refused ${method}`)
    return answer.result
  }
  return {
    caip2: async () => `solana:${String(await call('getGenesisHash', [])).slice(0, 32)}`,
    balance: async address => {
      const result = (await call('getBalance', [address, { commitment: 'confirmed' }])) as { value: number }
      return BigInt(result.value)
    },
    tokens: async address => {
      const program = { programId: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' }
      const options = { encoding: 'jsonParsed', commitment: 'confirmed' }
      const result = (await call('getTokenAccountsByOwner', [address, program, options])) as { value: TokenAccount[] }
      return result.value.map(({ account }) => {
        const { mint, tokenAmount } = account.data.parsed.info
        return { mint, amount: BigInt(tokenAmount.amount), decimals: tokenAmount.decimals }
      })
    },
    send: async (bytes, options = {}) => {
      const { skipPreflight = false, preflightCommitment = 'confirmed', maxRetries } = options
      const how = {
        encoding: 'base64',
        skipPreflight,
        preflightCommitment,
        ...(maxRetries === undefined ? {} : { maxRetries }),
      }
      return String(await call('sendTransaction', [base64Text(bytes), how]))
    },
    faucet: async request => {
      const url = `${rpcUrl.replace(/\/$/, '')}/faucet`
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(request),
      })
      if (!response.ok) throw new Error(`the faucet answered ${response.status}`)
    },
  }
}

type TokenAccount = {
  account: { data: { parsed: { info: { mint: string; tokenAmount: { amount: string; decimals: number } } } } }
}
