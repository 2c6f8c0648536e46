/** Which chain a log belongs to: remembered by the RPC address, else asked once. */
import { rememberChain, rememberedChain } from '../journal/storage.ts'

const identifyMs = 4000

async function identify(rpcUrl: string, now: () => number): Promise<string> {
  const { readJsonBody, sendOnce } = await import('../drivers/http.ts')
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getGenesisHash', params: [] })
  const request = { url: rpcUrl, body, what: 'the Solana RPC' }
  const sent = await sendOnce(request, { now, timeoutMs: identifyMs })
  if (!sent.ok) throw sent.fault
  const answer = readJsonBody(request, sent.bytes) as { result?: unknown } | null
  return typeof answer?.result === 'string' && /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(answer.result) ? answer.result : ''
}

/**
 * The chain this log belongs to: as remembered, else asked once, else not known yet.
 *
 * @returns its genesis hash; empty while no node has told it
 * @throws when the table of chains cannot be read
 */
export async function genesisHashAt(rpcUrl: string, now: () => number): Promise<string> {
  const remembered = await rememberedChain(rpcUrl)
  if (remembered !== undefined) return remembered
  const genesisHash = await identify(rpcUrl, now).catch(() => '')
  // One that cannot be remembered is asked for again next time
  if (genesisHash !== '') await rememberChain(rpcUrl, genesisHash).catch(() => undefined)
  return genesisHash
}
