import type { Context } from 'hono'
import { succeeded } from '../../solana/rpc.ts'
import { bodyRecord } from '../json.ts'
import type { World } from '../world.ts'
import { mismatch, refused, unreadable } from './errors.ts'
import { servedIds } from './networks.ts'
import { projectRefusal, required } from './project.ts'

/** Answers of the accepted methods, receipts aside. */
const results: Record<string, unknown> = {
  eth_sendUserOperation: `0x${'ab'.repeat(32)}`,
  eth_estimateUserOperationGas: {
    preVerificationGas: '0xb1a0',
    verificationGasLimit: '0x186a0',
    callGasLimit: '0x5208',
  },
  pm_sponsorUserOperation: { paymasterAndData: '0x' },
  pm_getPaymasterData: { paymasterAndData: '0x' },
  pm_getPaymasterStubData: { paymasterAndData: '0x', isFinal: true },
  pimlico_getUserOperationGasPrice: {
    slow: { maxFeePerGas: '0x3b9aca00', maxPriorityFeePerGas: '0x3b9aca00' },
    standard: { maxFeePerGas: '0x47868c00', maxPriorityFeePerGas: '0x3b9aca00' },
    fast: { maxFeePerGas: '0x59682f00', maxPriorityFeePerGas: '0x3b9aca00' },
  },
}

/** `POST /v1/bundler`: an operation's receipt is null when first asked for, and there from the second time on. */
export function createBundler(world: World): (c: Context) => Promise<Response> {
  const asked = new Set<string>()
  world.onReset(() => asked.clear())
  return async c => {
    const refusal = projectRefusal(c)
    if (refusal) return refusal
    const chainId = required(c, 'chainId')
    if (chainId instanceof Response) return chainId
    if (!servedIds(world).includes(chainId))
      return refused(c, 400, 'chainId', `We don't support the chainId you provided: ${chainId}`)
    const { bundler } = c.req.query()
    if (bundler !== undefined && bundler !== 'pimlico' && !/^https:\/\/[^/]/.test(bundler))
      return refused(c, 400, 'bundler', `Unsupported bundler: ${bundler}`)
    const body = await bodyRecord(c)
    if (!body) return unreadable(c, 'Failed to parse the request body as JSON')
    const { id, jsonrpc, method, params } = body
    if (jsonrpc !== '2.0' || typeof method !== 'string' || !Array.isArray(params)) return mismatch(c)
    if (method === 'eth_getUserOperationReceipt') return c.json(succeeded(id, receipt(asked, `${String(params[0])}`)))
    return Object.hasOwn(results, method) ? c.json(succeeded(id, results[method])) : mismatch(c)
  }
}

function receipt(asked: Set<string>, userOpHash: string): unknown {
  if (!asked.has(userOpHash)) {
    asked.add(userOpHash)
    return null
  }
  const transactionHash = `0x${'cd'.repeat(32)}`
  return { userOpHash, success: true, receipt: { transactionHash, status: '0x1', blockNumber: '0x10' }, logs: [] }
}
