/** Asks a contract account, over its chain's RPC, whether it signed a statement. */
import { Fault } from '../../../runtime/failure.ts'
import type { EffectData } from '../../../events/effect.ts'
import { isRecord } from '../../../runtime/json/isRecord.ts'
import { answered, drive } from '../drive.ts'
import type { Drive } from '../../../runtime/host/driver.ts'
import type { Http } from '../http.ts'
import { contractCall, magicValue } from './statements.ts'

/** @param rpcUrls by CAIP-2 chain, from the host; a chain without one is `unsupported` */
export function createContractAsker({ http, rpcUrls }: { http: Http; rpcUrls: Readonly<Record<string, string>> }): {
  'auth.askContract': Drive
} {
  return {
    'auth.askContract': drive(async ({ authId, place, chain, cacao }: EffectData['auth.askContract']) => {
      const url = Object.hasOwn(rpcUrls, chain) ? rpcUrls[chain] : undefined
      if (url === undefined)
        throw new Fault(
          'unsupported',
          `asking a contract wallet expected an RPC address for ${chain}, none is configured`,
        )
      const body = JSON.stringify({
        id: 1,
        jsonrpc: '2.0',
        method: 'eth_call',
        params: [contractCall(cacao), 'latest'],
      })
      const answer = await http.json({ url, what: 'the contract wallet', body, answers: [400] })
      return answered({ type: 'auth.contractAsked', data: { authId, place, isSigned: isYes(answer) } })
    }),
  }
}

/** @throws Fault `bad_response` when it is not a node's answer; a reverted call means no */
function isYes(answer: unknown): boolean {
  const { result, error } = isRecord(answer) ? answer : { result: undefined, error: undefined }
  if (typeof result === 'string' && /^0x([0-9a-f]{2})*$/i.test(result))
    return result.slice(2, 2 + magicValue.length).toLowerCase() === magicValue
  const message = isRecord(error) ? String(error.message) : ''
  if (/revert/i.test(message)) return false
  throw new Fault('bad_response', 'the contract wallet expected an answer to eth_call, got none')
}
