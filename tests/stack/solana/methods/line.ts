import { type Block, BLOCKHASH_LIFE } from '../blocks.ts'
import { base58, fromBase64, sha256 } from '../bytes.ts'
import { transactionAccountsJson, transactionJson } from '../encode.ts'
import { invalidParams, RpcError } from '../errors.ts'
import { computeBudget, feeOf } from '../fees.ts'
import { readMessage, readTransaction, WireError } from '../wire.ts'
import { SLOTS_PER_EPOCH } from '../vm.ts'
import {
  addressesParam,
  API_VERSION,
  type Call,
  type Config,
  configParam,
  historyBlock,
  inContext,
  type Method,
  needs,
  seenBlock,
  wholeParam,
} from './params.ts'

/** Methods about slots, blocks, blockhashes, fees and the node itself. */
export const lineMethods: Record<string, Method> = {
  getGenesisHash: call => call.chain.genesisHash,
  getHealth: () => 'ok',
  getVersion: () => ({ 'solana-core': API_VERSION, 'feature-set': 0 }),
  getIdentity: call => ({ identity: nodeIdentity(call) }),
  getSlotLeader: call => nodeIdentity(call),
  getClusterNodes: () => [],
  getSlot: call => seenBlock(call, configParam(call.params[0])).slot,
  getBlockHeight: call => seenBlock(call, configParam(call.params[0])).height,
  getFirstAvailableBlock: call => call.chain.blocks.all()[0]?.slot ?? 0,
  minimumLedgerSlot: call => call.chain.blocks.all()[0]?.slot ?? 0,
  getTransactionCount: call => countAt(call, seenBlock(call, configParam(call.params[0]))),
  getEpochInfo(call) {
    const block = seenBlock(call, configParam(call.params[0]))
    return {
      absoluteSlot: block.slot,
      blockHeight: block.height,
      epoch: Math.floor(block.slot / SLOTS_PER_EPOCH),
      slotIndex: block.slot % SLOTS_PER_EPOCH,
      slotsInEpoch: SLOTS_PER_EPOCH,
      transactionCount: countAt(call, block),
    }
  },
  getEpochSchedule: () => ({
    slotsPerEpoch: SLOTS_PER_EPOCH,
    leaderScheduleSlotOffset: SLOTS_PER_EPOCH,
    warmup: false,
    firstNormalEpoch: 0,
    firstNormalSlot: 0,
  }),
  getLatestBlockhash(call) {
    const block = seenBlock(call, configParam(call.params[0]))
    return inContext(block, { blockhash: block.blockhash, lastValidBlockHeight: block.height + BLOCKHASH_LIFE })
  },
  isBlockhashValid(call) {
    needs(call, 1)
    const block = seenBlock(call, configParam(call.params[1]))
    const made = call.chain.blocks.byHash(String(call.params[0]))
    return inContext(
      block,
      made !== undefined && made.slot <= block.slot && block.height - made.height <= BLOCKHASH_LIFE,
    )
  },
  getFeeForMessage(call) {
    needs(call, 1)
    const block = seenBlock(call, configParam(call.params[1]))
    const bytes = typeof call.params[0] === 'string' ? fromBase64(call.params[0]) : undefined
    if (!bytes) throw invalidParams('invalid base64 encoding of a message')
    try {
      const message = readMessage(bytes)
      const made = call.chain.blocks.byHash(message.blockhash)
      const valid = made !== undefined && block.height - made.height <= BLOCKHASH_LIFE
      return inContext(block, valid ? feeOf(message) : null)
    } catch (error) {
      if (error instanceof WireError) throw invalidParams(`failed to deserialize message: ${error.message}`)
      throw error
    }
  },
  getRecentPrioritizationFees(call) {
    const wanted = call.params[0] === undefined ? [] : addressesParam(call.params[0], 128)
    return call.chain.blocks
      .newest(150)
      .reverse()
      .map(block => ({ slot: block.slot, prioritizationFee: lowestPrice(call, block, wanted) }))
  },
  getBlockTime(call) {
    needs(call, 1)
    return blockAt(call, wholeParam(call.params[0]), {}).time
  },
  getBlocks(call) {
    needs(call, 1)
    const last = typeof call.params[1] === 'number' ? wholeParam(call.params[1]) : Number.MAX_SAFE_INTEGER
    const config = configParam(typeof call.params[1] === 'number' ? call.params[2] : call.params[1])
    return slotsBetween(call, wholeParam(call.params[0]), Math.min(last, historyBlock(call, config).slot))
  },
  getBlocksWithLimit(call) {
    needs(call, 2)
    const last = historyBlock(call, configParam(call.params[2])).slot
    return slotsBetween(call, wholeParam(call.params[0]), last).slice(0, wholeParam(call.params[1], 500_000))
  },
  getBlock(call) {
    needs(call, 1)
    const config = typeof call.params[1] === 'string' ? { encoding: call.params[1] } : configParam(call.params[1])
    return blockJson(call, blockAt(call, wholeParam(call.params[0]), config), config)
  },
}

const nodeIdentity = (call: Call): string => base58(sha256('local solana node\0', call.chain.genesisHash))

const countAt = (call: Call, block: Block): number =>
  call.chain.ledger.all().filter(record => record.slot <= block.slot).length

const slotsBetween = (call: Call, first: number, last: number): number[] =>
  call.chain.blocks
    .all()
    .filter(block => block.slot >= first && block.slot <= last)
    .map(block => block.slot)

function blockAt(call: Call, slot: number, config: Config): Block {
  if (slot > historyBlock(call, { commitment: config.commitment ?? 'confirmed' }).slot)
    throw new RpcError(-32004, `Block not available for slot ${slot}`)
  const block = call.chain.blocks.at(slot)
  if (!block) throw new RpcError(-32007, `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`)
  return block
}

function blockJson(call: Call, block: Block, config: Config): unknown {
  const head = {
    blockhash: block.blockhash,
    previousBlockhash: call.chain.blocks.at(block.parent)?.blockhash ?? base58(new Uint8Array(32)),
    parentSlot: block.parent,
    blockTime: block.time,
    blockHeight: block.height,
    ...(config.rewards === false ? {} : { rewards: [] }),
  }
  const details = config.transactionDetails ?? 'full'
  if (details === 'none') return head
  if (details === 'signatures') return { ...head, signatures: block.signatures }
  const records = block.signatures.flatMap(signature => call.chain.ledger.get(signature) ?? [])
  if (details === 'accounts') return { ...head, transactions: records.map(transactionAccountsJson) }
  const form = { encoding: config.encoding ?? 'json', maxVersion: config.maxSupportedTransactionVersion }
  return { ...head, transactions: records.map(record => transactionJson(record, form)) }
}

/** The lowest price, in micro-lamports a unit, that got a transaction mentioning all wanted keys into a block; 0 if none did. */
function lowestPrice(call: Call, block: Block, wanted: string[]): bigint {
  let lowest: bigint | undefined
  for (const signature of block.signatures) {
    const record = call.chain.ledger.get(signature)
    if (!record || !wanted.every(address => record.addresses.includes(address))) continue
    const { price } = computeBudget(readTransaction(fromBase64(record.bytes) ?? new Uint8Array(0)))
    if (lowest === undefined || price < lowest) lowest = price
  }
  return lowest ?? 0n
}
