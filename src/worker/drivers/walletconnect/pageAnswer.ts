/** A wallet's answer to a page's request: JSON text in the log, long answers beside it, the signer checked. */
import { Fault } from '../../../runtime/failure.ts'
import { decodeBase58 } from '../../../events/values/solana/base58.ts'
import { isRecord } from '../../../runtime/json/isRecord.ts'
import { fromBase64 } from '../../walletconnect/crypto/base64.ts'
import { toUtf8 } from '../../walletconnect/crypto/encoding.ts'
import type { IncomingPayload } from '../../walletconnect/relay/incoming.ts'
import { messageBytes, readTransaction, signatureOf } from '../../chains/solana/wire.ts'
import { isSignedBy, type Verify } from '../../services/signatures.ts'
import type { BytesStore } from '../bytes.ts'

/** A page's request, as far as its answer is checked against it. `accounts` are the session's addresses on its chain. */
export type AskedByPage = { method: string; params?: string; accounts: string[] }

/** Longest answer in the log itself, characters. */
const longestInLog = 65_536

/**
 * @param payload of kind `result` or `error`, with its `answer`
 * @returns the payload for the core
 * @throws Fault `storage_down`, `reload_needed`: the answer must be read again later
 */
export async function keepAnswer(
  payload: IncomingPayload,
  asked: AskedByPage,
  { store, verify }: { store: BytesStore; verify: Verify },
): Promise<IncomingPayload> {
  const { answer = 'null', ...rest } = payload
  if (payload.kind === 'result' && (await isSignedByAnother(asked, answer, verify)))
    return { ...rest, otherSigner: true }
  if (answer.length <= longestInLog) return payload
  // Too long an error is dropped; its code remains
  if (payload.kind === 'error') return rest
  return { ...rest, answerRef: await store.put(toUtf8(answer), payload.id) }
}

/** Whether the answer has a valid signature for the request's content that is by none of the requested keys. */
async function isSignedByAnother(asked: AskedByPage, answer: string, verify: Verify): Promise<boolean> {
  if (asked.params === undefined) return false
  const params: unknown = JSON.parse(asked.params)
  const result: unknown = JSON.parse(answer)
  if (!isRecord(params) || !isRecord(result)) return false
  const signers = typeof params.pubkey === 'string' ? [params.pubkey] : asked.accounts
  try {
    switch (asked.method) {
      case 'solana_signMessage':
        return await isForeign(signers, decodeBase58(textOf(params.message)), textOf(result.signature), verify)
      case 'solana_signTransaction':
        if (typeof result.transaction === 'string')
          return await isForeignTransaction(signers, result.transaction, verify)
        return await isForeign(
          signers,
          messageBytes(fromBase64(textOf(params.transaction), 'transaction')),
          textOf(result.signature),
          verify,
        )
      case 'solana_signAllTransactions': {
        const all = Array.isArray(result.transactions) ? result.transactions : []
        for (const one of all) if (await isForeignTransaction(signers, textOf(one), verify)) return true
      }
    }
  } catch (cause) {
    if (!(cause instanceof Fault) || cause.code === 'reload_needed') throw cause
    // Not in a known form: the page judges it
  }
  return false
}

async function isForeign(
  signers: readonly string[],
  message: Uint8Array | undefined,
  signature: string,
  verify: Verify,
): Promise<boolean> {
  const bytes = decodeBase58(signature)
  if (!message || bytes?.length !== 64 || signers.length === 0) return false
  for (const signer of signers) if (await isSignedBy(signer, message, bytes, verify)) return false
  return true
}

async function isForeignTransaction(signers: readonly string[], text: string, verify: Verify): Promise<boolean> {
  const bytes = fromBase64(text, 'signed transaction')
  const transaction = readTransaction(bytes)
  const asked = signers.filter(signer => transaction.accountKeys.slice(0, transaction.header.signers).includes(signer))
  if (asked.length === 0) return true
  for (const signer of asked) {
    const signature = signatureOf(transaction, signer)
    if (signature !== undefined && !(await isForeign([signer], messageBytes(bytes), signature, verify))) return false
  }
  return true
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  throw new Fault('bad_response', `a signature expected text, got ${typeof value}`)
}
