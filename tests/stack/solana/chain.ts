import { type Accounts, createAccounts } from './accounts.ts'
import { type Block, type Blocks, createBlocks, LAG } from './blocks.ts'
import { base58, base64, fromBase64, sha256 } from './bytes.ts'
import { signedTransaction } from './compile.ts'
import { errorSentence } from './errors.ts'
import { execute, refusal, signatureOf, type World } from './execute.ts'
import { type Keypair, seededKeypair } from './keys.ts'
import { createLedger, type Ledger, type TransactionRecord } from './ledger.ts'
import { type Instruction, SYSTEM, transfer } from './programs.ts'
import { openVm, type Outcome, type Vm } from './vm.ts'
import { readTransaction, type WireTransaction } from './wire.ts'

/** Slots are 400 ms apart in both clock modes. */
export const SLOT_MS = 400

/** Slots created at once on the switch to real time: more than the lag of finality. */
const FILLED_SLOTS = 34

/** `fork`: everything after the block `kept` vanished. */
export type ChainEvent =
  | { kind: 'slot'; block: Block }
  | { kind: 'transaction'; record: TransactionRecord }
  | { kind: 'fork'; kept: Block }

/** Everything of a chain that survives a restart; plain JSON. */
export type ChainSnapshot = {
  genesisHash: string
  clock: { anchorSlot: number; anchorTime: number; offset: number }
  /** own transactions of the stack that needed a distinct blockhash */
  repeats: number
  /** slots with transactions: the VM's own blockhash advanced as often */
  busySlots: number
  preparedSlot: number
  blocks: Block[]
  ledger: TransactionRecord[]
  accounts: { address: string; lamports: string; owner: string; data: string; executable: boolean }[]
}

/**
 * In-process Solana chain. One slot is open at a time; a sent transaction lands in it at once and moves from processed to
 * confirmed (1 slot later) to finalized (32 slots later).
 */
export type Chain = {
  readonly genesisHash: string
  readonly blocks: Blocks
  readonly accounts: Accounts
  readonly ledger: Ledger
  readonly vm: Vm
  /** the account that airdrops come from */
  readonly faucet: Keypair
  /** opens the next `slots` slots; in manual mode chain time moves 0.4 s with each */
  advance(slots?: number): void
  /** moves chain time forward to a Unix second, in the next slot; earlier times are refused */
  setTime(unixTime: number): void
  /**
   * The newest slots vanish with their transactions, and as many others come. Finalized slots cannot.
   *
   * @returns the transactions that vanished, oldest first
   */
  fork(slots: number): TransactionRecord[]
  /** slots and time follow the machine's clock from now on, whenever `tick` is called */
  followRealTime(nowMs: number): void
  tick(nowMs: number): void
  refusal(transaction: WireTransaction): ReturnType<typeof refusal>
  simulate(transaction: WireTransaction, checkSignatures: boolean): ReturnType<Vm['simulate']>
  /** runs a transaction that `refusal` let through; one that did not land left no trace */
  submit(transaction: WireTransaction): { signature: string; outcome: Outcome }
  /** builds, signs and runs a transaction of the stack's own; throws a sentence when it fails */
  run(instructions: Instruction[], signers: [Keypair, ...Keypair[]]): string
  /** lamports out of the faucet by a real transfer; returns its signature */
  airdrop(address: string, lamports: bigint): string
  listen(listener: (event: ChainEvent) => void): () => void
  snapshot(): ChainSnapshot
}

/** @param options.startUnix Unix second of the first slot; a part of the chain's identity, as the seed is */
export function createChain(options: { seed: string; startUnix: number; snapshot?: ChainSnapshot }): Chain {
  const { seed, startUnix, snapshot } = options
  const identity = `${seed}\0${startUnix}`
  const genesisHash = snapshot?.genesisHash ?? base58(sha256('local solana genesis\0', identity))
  const vm = openVm()
  const blocks = createBlocks(identity, { slot: 5_000, height: 4_200, time: startUnix }, snapshot?.blocks)
  const accounts = createAccounts(vm)
  const ledger = createLedger(snapshot?.ledger)
  const world: World = { vm, accounts, blocks, ledger }
  const clock = snapshot?.clock ?? { anchorSlot: 5_000, anchorTime: startUnix, offset: 0 }
  const faucet = seededKeypair(seed, 'faucet')
  const listeners = new Set<(event: ChainEvent) => void>()
  const tell = (event: ChainEvent) => {
    for (const listener of listeners) listener(event)
  }
  let repeats = snapshot?.repeats ?? 0
  let busySlots = snapshot?.busySlots ?? 0
  let preparedSlot = snapshot?.preparedSlot ?? -1
  let realStart: { slot: number; atMs: number } | undefined

  for (let i = 0; i < busySlots; i++) vm.nextBlockhash()
  for (const kept of snapshot?.accounts ?? [])
    accounts.place(kept.address, {
      lamports: BigInt(kept.lamports),
      owner: kept.owner,
      data: fromBase64(kept.data) ?? new Uint8Array(0),
      executable: kept.executable,
    })
  if (!snapshot)
    accounts.place(faucet.address, {
      lamports: 500_000_000n * 1_000_000_000n,
      owner: SYSTEM,
      data: new Uint8Array(0),
      executable: false,
    })
  vm.setClock(blocks.tip().slot, blocks.tip().time)

  /** Slot hashes are the costliest part of a slot, so they and the VM's blockhash advance only in slots with transactions. */
  const prepare = () => {
    const { slot } = blocks.tip()
    if (preparedSlot === slot) return
    preparedSlot = slot
    const hashes = blocks.newest(300).map(block => ({ slot: block.slot, hash: block.blockhash }))
    vm.setSlotHashes(hashes.slice(1))
    vm.nextBlockhash()
    busySlots++
  }
  const open = (slot: number, time: number) => {
    const block = blocks.push(slot, Math.max(time, blocks.tip().time))
    vm.setClock(block.slot, block.time)
    tell({ kind: 'slot', block })
  }
  const manualTime = (slot: number) => clock.anchorTime + Math.floor(((slot - clock.anchorSlot) * SLOT_MS) / 1000)
  const realTime = (nowMs: number) => Math.floor(nowMs / 1000) + clock.offset

  const submit = (transaction: WireTransaction): { signature: string; outcome: Outcome } => {
    prepare()
    const { outcome, record } = execute(world, transaction)
    if (record) tell({ kind: 'transaction', record })
    return { signature: signatureOf(transaction), outcome }
  }
  const run = (instructions: Instruction[], signers: [Keypair, ...Keypair[]]): string => {
    let signed = signedTransaction(instructions, signers, blocks.tip().blockhash)
    // An identical transaction in one slot would be the same one: give the second a distinct blockhash.
    if (ledger.get(signed.signature)) {
      repeats++
      const blockhash = base58(sha256('local solana repeat\0', genesisHash, '\0', String(repeats)))
      signed = signedTransaction(instructions, signers, blockhash)
    }
    const { outcome } = submit(readTransaction(signed.bytes))
    if (outcome.err) throw new Error([errorSentence(outcome.err), ...outcome.logs].join('; '))
    return signed.signature
  }
  return {
    genesisHash,
    blocks,
    accounts,
    ledger,
    vm,
    faucet,
    advance(slots = 1) {
      for (let i = 0; i < slots; i++) {
        const slot = blocks.tip().slot + 1
        open(slot, realStart ? realTime(Date.now()) : manualTime(slot))
        if (realStart) realStart.slot++
      }
    },
    setTime(unixTime) {
      const tip = blocks.tip()
      if (unixTime < tip.time) throw new Error(`chain time is ${tip.time} s and cannot go back to ${unixTime} s`)
      clock.offset += unixTime - (realStart ? realTime(Date.now()) : unixTime)
      clock.anchorSlot = tip.slot + 1
      clock.anchorTime = unixTime
      if (realStart) realStart.slot++
      open(tip.slot + 1, unixTime)
    },
    fork(slots) {
      if (slots < 1 || slots >= LAG.finalized)
        throw new Error(`fork expected 1 to ${LAG.finalized - 1} slots, as finalized ones stay; got ${slots}`)
      const gone = blocks.drop(slots)
      const kept = blocks.tip()
      accounts.rewind(kept.slot)
      const lost = ledger.dropAfter(kept.slot)
      preparedSlot = Math.min(preparedSlot, kept.slot)
      tell({ kind: 'fork', kept })
      for (const { slot, time } of gone) open(slot, time)
      return lost
    },
    followRealTime(nowMs) {
      // After sleep, skip the missed slots, so that no old blockhash becomes valid again; create the last few at once, so that
      // finalized readers see the present.
      const tip = blocks.tip()
      const slept = Math.max(0, Math.floor((realTime(nowMs) * 1000 - tip.time * 1000) / SLOT_MS))
      realStart = { slot: tip.slot + slept + FILLED_SLOTS, atMs: nowMs }
      for (let behind = FILLED_SLOTS - 1; behind >= 0; behind--)
        open(realStart.slot - behind, realTime(nowMs - behind * SLOT_MS))
    },
    tick(nowMs) {
      if (!realStart) return
      const target = realStart.slot + Math.floor((nowMs - realStart.atMs) / SLOT_MS)
      for (let slot = Math.max(blocks.tip().slot + 1, target - 200); slot <= target; slot++) open(slot, realTime(nowMs))
    },
    refusal: transaction => refusal(world, transaction),
    simulate(transaction, checkSignatures) {
      prepare()
      return vm.simulate(transaction, checkSignatures)
    },
    submit,
    run,
    airdrop: (address, lamports) => run([transfer(faucet.address, address, lamports)], [faucet]),
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    snapshot: () => ({
      genesisHash,
      clock: { ...clock },
      repeats,
      busySlots,
      preparedSlot,
      blocks: blocks.all().filter((block, place, all) => block.signatures.length > 0 || place > all.length - 400),
      ledger: [...ledger.all()],
      accounts: accounts.written().flatMap(address => {
        const account = accounts.now(address)
        if (!account) return []
        const { owner, executable } = account
        return [{ address, lamports: account.lamports.toString(), owner, data: base64(account.data), executable }]
      }),
    }),
  }
}
