/** Checks a wallet's answer to one-click auth against the request: each difference is refused by name. */
import type { Failure } from '../../../runtime/failure.ts'
import type { AuthAsk, Statement } from '../../../events/subjects/wallet/authFacts.ts'
import type { InputData } from '../../core/context.ts'
import { isRejection, wcError } from '../../walletconnect/relay/errors.ts'

type Payload = InputData<'relay.message'>['payload']
type Signed = NonNullable<Payload['signed']>[number]

/**
 * @param at now, ms
 * @returns the statements, or why they cannot be taken
 */
export function judgeAnswer(
  { signed = [], problem, error }: Payload,
  asked: AuthAsk,
  at: number,
): { statements: Statement[] } | { failure: Failure } {
  const wrong = problem ?? error?.message ?? firstProblem(signed, asked, at)
  if (wrong !== undefined) return { failure: unsettled(wrong) }
  return { statements: signed.map(one => statementOf(one, asked)) }
}

function firstProblem(signed: readonly Signed[], asked: AuthAsk, at: number): string | undefined {
  if (signed.length === 0) return 'the answer expected a signed statement, got none'
  for (const one of signed) {
    if (one.verdict === 'invalid')
      return 'a signed statement expected the signature of the account it names, got another'
    const field = differing(one, asked, at)
    if (field !== undefined) return `a signed statement expected ${field}`
  }
  return undefined
}

/** A statement that is signed correctly may answer another request, or be out of date. @returns the first such difference */
function differing(one: Signed, asked: AuthAsk, at: number): string | undefined {
  if (one.domain !== asked.domain) return 'the domain that was asked for, got another'
  if (one.nonce !== asked.nonce) return 'the nonce that was asked for, got another'
  if (one.uri !== asked.uri) return 'the aud that was asked for, got another'
  if (!asked.chains.includes(one.chain)) return `an iss on a chain that was asked for, got ${one.chain}`
  if (asked.requestId !== undefined && one.requestId !== asked.requestId)
    return 'the requestId that was asked for, got another'
  if (asked.exp !== undefined && one.exp !== asked.exp) return 'the exp that was asked for, got another'
  if (asked.nbf !== undefined && one.nbf !== asked.nbf) return 'the nbf that was asked for, got another'
  if (one.expAt !== undefined && one.expAt <= at) return 'an exp in the future, got one in the past'
  if (one.nbfAt !== undefined && one.nbfAt > at) return 'an nbf in the past, got one in the future'
  return undefined
}

/** Of the chains it allows only those that were asked for count. */
function statementOf({ chain, address, methods, chains, cacao, verdict }: Signed, asked: AuthAsk): Statement {
  return {
    chain,
    address,
    methods,
    chains: asked.chains.filter(one => one === chain || chains.includes(one)),
    cacao,
    ...(verdict === 'contract' && { unchecked: true }),
  }
}

/** @returns a failure of the answer, under the protocol's code for it */
export function unsettled(why: string): Failure {
  const { code, message } = wcError('SESSION_SETTLEMENT_FAILED', why)
  return { code: 'bad_response', message, facts: { code } }
}

/** @returns a wallet's refusal, in our words */
export function refusedAuth({ error }: Payload): Failure {
  const code = error?.code ?? 0
  if (error && isRejection(error))
    return { code: 'user_rejected', message: 'the person declined to sign in in the wallet' }
  return { code: 'bad_response', message: `the wallet refused to sign in with error ${code}`, facts: { code } }
}

/** @returns the namespaces of the session that the statements allow; undefined when they only sign in */
export function allowedNamespaces(signed: readonly Statement[]) {
  const methods = [...new Set(signed.flatMap(one => one.methods))]
  if (methods.length === 0) return undefined
  const accounts = [...new Set(signed.flatMap(({ chains, address }) => chains.map(chain => `${chain}:${address}`)))]
  const chains = [...new Set(signed.flatMap(one => one.chains))]
  return { eip155: { chains, accounts, methods, events: ['chainChanged', 'accountsChanged'] } }
}
