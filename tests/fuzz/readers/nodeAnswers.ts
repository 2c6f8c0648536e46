/** Answers of a node, possibly hostile, to a batch of calls. */
import { type Fault } from '../../../src/runtime/failure.ts'
import { accountsOfOwner } from '../../../src/worker/drivers/solana/order/heldTokens.ts'
import { landed } from '../../../src/worker/ledger/ledgerTransaction.ts'
import { signature as signatureSchema } from '../../../src/events/values/solana/signature.ts'
import { blockSignatures } from '../../../src/worker/rpc/blockPlaces.ts'
import * as answers from '../../../src/worker/rpc/answers.ts'
import { type CallOutcome, readAnswers } from '../../../src/worker/rpc/batch.ts'
import { isRecord, unmet } from '../grammars/wanted.ts'
import { changedText } from '../changedText.ts'
import { changedJson } from '../hostileJson.ts'
import type { Random } from '../random.ts'
import { type Read, type Reader, refused, taken, wrong } from '../reader.ts'

const signature = '5'.repeat(88)
const address = '6TP5qTcH47bvuewpv43TfHgrCU8hKAGKuXY6bHsCEXVr'
const context = { slot: 812 }
const status = { slot: 811, confirmations: null, err: null, confirmationStatus: 'finalized' }
const line = { signature, slot: 811, err: null, memo: '[5] hello', blockTime: 1798765200 }
const account = { lamports: 890880, owner: address, data: ['AAAA', 'base64'] }
const held = { mint: address, owner: address, state: 'initialized', tokenAmount: { amount: '25', decimals: 6 } }
const moved = { accountIndex: 1, mint: address, owner: address, uiTokenAmount: { amount: '25' } }
const balances = { preBalances: [5000, 0], postBalances: [0, 0], preTokenBalances: [], postTokenBalances: [moved] }

const isWhole = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0
const has = (value: unknown, parts: Record<string, (part: unknown) => boolean>) =>
  isRecord(value) &&
  Object.entries(parts).every(([name, holds]) => holds(Object.hasOwn(value, name) ? value[name] : undefined))
const each = (holds: (item: unknown) => boolean) => (value: unknown) => Array.isArray(value) && value.every(holds)
const orNull = (holds: (value: unknown) => boolean) => (value: unknown) => value === null || holds(value)
const inContext = (value: (part: unknown) => boolean) => (result: unknown) =>
  has(result, { context: part => has(part, { slot: isWhole }), value })

const isText = (most: number) => (value: unknown) => typeof value === 'string' && value.length <= most
const isList = (value: unknown) => Array.isArray(value)
const isBase64 = (value: unknown) => Array.isArray(value) && typeof value[0] === 'string' && value[1] === 'base64'

const isHeld = (one: unknown) =>
  has(one, {
    pubkey: isText(44),
    account: account =>
      has(account, {
        data: data =>
          has(data, { parsed: parsed => has(parsed, { info: info => has(info, { tokenAmount: isAmount }) }) }),
      }),
  })
const isAmount = (value: unknown) =>
  has(value, { amount: text => isText(20)(text) && /^\d+$/.test(String(text)), decimals: isWhole })
const areMoved = (value: unknown) =>
  value === undefined || orNull(each(one => has(one, { accountIndex: isWhole, uiTokenAmount: isRecord })))(value)

/** Methods, each with a typical answer, our reader, and the invariant of everything it accepts. */
const methods = [
  { method: 'getBlockHeight', example: 700, read: answers.blockHeight, holds: isWhole },
  {
    method: 'getSignatureStatuses',
    example: { context, value: [status, null] },
    read: answers.statuses,
    holds: inContext(
      each(orNull(one => has(one, { slot: isWhole, confirmations: part => part === null || isWhole(part) }))),
    ),
  },
  {
    method: 'getSignaturesForAddress',
    example: [line, { ...line, slot: 800 }],
    read: answers.signatures,
    holds: each(one => has(one, { slot: isWhole, signature: isText(90) })),
  },
  {
    method: 'getMultipleAccounts',
    example: { context, value: [account, null] },
    read: answers.accounts,
    holds: inContext(each(orNull(one => has(one, { lamports: isWhole, data: isBase64 })))),
  },
  {
    method: 'getLatestBlockhash',
    example: { context, value: { blockhash: address, lastValidBlockHeight: 850 } },
    read: answers.latestBlockhash,
    holds: inContext(part => has(part, { lastValidBlockHeight: isWhole, blockhash: text => typeof text === 'string' })),
  },
  {
    method: 'getTransaction',
    example: { slot: 811, blockTime: 1798765200, transaction: ['AAAA', 'base64'], meta: { err: null, fee: 5000 } },
    read: answers.transaction,
    holds: orNull(one => has(one, { slot: isWhole, transaction: isBase64, meta: orNull(isRecord) })),
  },
  {
    method: 'simulateTransaction',
    example: { context, value: { err: null, unitsConsumed: 450, logs: [] } },
    read: answers.simulation,
    holds: inContext(part => has(part, { unitsConsumed: units => units === undefined || orNull(isWhole)(units) })),
  },
  {
    method: 'getRecentPrioritizationFees',
    example: [{ slot: 811, prioritizationFee: 0 }],
    read: answers.prioritizationFees,
    holds: each(one => has(one, { prioritizationFee: isWhole })),
  },
  {
    method: 'isBlockhashValid',
    example: { context, value: true },
    read: answers.validity,
    holds: inContext(part => typeof part === 'boolean'),
  },
  {
    method: 'getEpochInfo',
    example: { absoluteSlot: 812, blockHeight: 700, epoch: 1, slotIndex: 12, slotsInEpoch: 800 },
    read: answers.epochInfo,
    holds: (one: unknown) => has(one, { absoluteSlot: isWhole, blockHeight: isWhole }),
  },
  { method: 'getSlot', example: 812, read: answers.blockHeight, holds: isWhole },
  { method: 'getGenesisHash', example: address, read: answers.genesisHash, holds: isText(44) },
  { method: 'sendTransaction', example: signature, read: signatureSchema, holds: isText(90) },
  { method: 'getBlockTime', example: 1798765200, read: answers.blockTime, holds: orNull(Number.isSafeInteger) },
  {
    method: 'getBlock',
    example: { signatures: [signature, signature] },
    read: blockSignatures,
    holds: orNull(one => has(one, { signatures: each(isText(90)) })),
  },
  {
    method: 'getTokenAccountsByOwner',
    example: { context, value: [{ pubkey: address, account: { data: { parsed: { type: 'account', info: held } } } }] },
    read: accountsOfOwner,
    holds: (result: unknown) => has(result, { value: each(isHeld) }),
  },
  {
    method: 'getTransaction',
    example: { slot: 811, transaction: ['AAAA', 'base64'], meta: { err: null, ...balances } },
    read: landed,
    holds: (one: unknown) =>
      has(one, {
        slot: isWhole,
        transaction: isBase64,
        meta: meta => has(meta, { preBalances: isList, postBalances: isList, postTokenBalances: areMoved }),
      }),
  },
]
const calls = methods.map(({ method }, at) => ({ id: at + 1, method, params: [] }))
const honest = methods.map(({ example }, at) => ({ jsonrpc: '2.0', id: at + 1, result: example }))

/** Few answers a case, so that a change meets each method often. */
function bodyOf(random: Random): string {
  const few = Array.from({ length: 4 }, () => random.pick(honest))
  return JSON.stringify(random.oneIn(10) ? honest : few)
}

/** @returns the first entry that answers a call by its id */
function entryFor(parsed: unknown, id: number): Record<string, unknown> | undefined {
  const entries = (Array.isArray(parsed) ? parsed : [parsed]).filter(isRecord)
  const by = (wanted: unknown) => entries.find(entry => Object.hasOwn(entry, 'id') && entry['id'] === wanted)
  return by(id) ?? by(String(id))
}

function wrongWith(parsed: unknown, outcomes: readonly CallOutcome[], read: Read): string | number {
  let count = 0
  if (outcomes.length !== calls.length) return 'calls got more or fewer answers than they are'
  for (const [at, outcome] of outcomes.entries()) {
    if (!('result' in outcome)) continue
    const { method, read: schema, holds } = methods[at] ?? (methods[0] as (typeof methods)[number])
    const entry = entryFor(parsed, at + 1)
    if (JSON.stringify(outcome.result) !== JSON.stringify(entry?.['result']))
      return `a call got the answer of another one: ${method}`
    const found = read(() => answers.readAnswer<unknown>(schema, outcome.result, method))
    if ('fault' in found) {
      if (isSame(outcome.result, at)) return `an honest answer was refused: ${faultText(found.fault)}`
      continue
    }
    if (!holds(outcome.result) || !holds(found.value)) return `an answer outside the grammar was accepted: ${method}`
    count += 1
  }
  return count
}

const isSame = (result: unknown, at: number) =>
  unmet(methods[at]?.example, result) === undefined && JSON.stringify(result) === JSON.stringify(methods[at]?.example)
const faultText = ({ message }: Fault) => message

export const nodeAnswers: Reader = {
  name: 'nodeAnswers',
  share: 200,
  make(random) {
    const body = bodyOf(random)
    const once = random.oneIn(4) ? changedText(random, body, '[{},null]') : changedJson(random, body)
    return random.oneIn(2) ? once : changedJson(random, once)
  },
  judge(input, read) {
    let parsed: unknown
    try {
      parsed = JSON.parse(input)
    } catch {
      return refused
    }
    const found = read(() => readAnswers(calls, parsed, 'a node'))
    if ('fault' in found) return wrong(false, 'a batch ended in a fault instead of one outcome a call')
    const judged = wrongWith(parsed, found.value, read)
    if (typeof judged === 'string') return wrong(true, judged)
    return judged > 0 ? taken : refused
  },
}
