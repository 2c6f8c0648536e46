import { concat, littleEndian } from './bytes.ts'
import type { Block } from './blocks.ts'
import { CLOCK_SYSVAR, SYSTEM } from './programs.ts'
import { readTokenAccount } from './tokens.ts'
import { type Account, SLOTS_PER_EPOCH, type Vm } from './vm.ts'

/** Number of slots with earlier account states, for confirmed, finalized and stale readers. */
const KEPT_SLOTS = 400

/** Written in place of an account to remove it: without lamports it counts as absent. */
const NO_ACCOUNT: Account = { lamports: 0n, owner: SYSTEM, data: new Uint8Array(0), executable: false }

/** Accounts now and at each of the last 400 slots, with the indexes the VM lacks. */
export type Accounts = {
  now(address: string): Account | undefined
  /** the state at the end of a block */
  at(address: string, block: Block): Account | undefined
  /** call before each write; the first state of a slot is the one older readers see */
  remember(address: string, before: Account | undefined, slot: number): void
  /** call after each write */
  indexed(address: string): void
  /** returns every account to its state at the end of a slot of the last 400 */
  rewind(slot: number): void
  /** writes an account without a transaction; for genesis and for restoring */
  place(address: string, account: Account): void
  tokenAccounts(by: 'owner' | 'mint' | 'delegate', key: string, block: Block): { address: string; account: Account }[]
  written(): string[]
}

export function createAccounts(vm: Vm): Accounts {
  const past = new Map<string, { slot: number; before: Account | undefined }[]>()
  const written = new Set<string>()
  const tokens = { owner: new Map<string, Set<string>>(), mint: new Map<string, Set<string>>(), delegate: new Map() }

  const at = (address: string, block: Block): Account | undefined => {
    if (address === CLOCK_SYSVAR) return clockAccount(block)
    const earlier = past.get(address)?.find(version => version.slot > block.slot)
    return earlier ? earlier.before : vm.read(address)
  }
  const indexed = (address: string) => {
    written.add(address)
    const token = readTokenAccount(vm.read(address))
    if (!token) return
    addTo(tokens.owner, token.owner, address)
    addTo(tokens.mint, token.mint, address)
    if (token.delegate) addTo(tokens.delegate, token.delegate, address)
  }
  return {
    now: address => vm.read(address),
    at,
    remember(address, before, slot) {
      const versions = (past.get(address) ?? []).filter(version => version.slot > slot - KEPT_SLOTS)
      if (versions.at(-1)?.slot !== slot) versions.push({ slot, before })
      past.set(address, versions)
    },
    indexed,
    rewind(slot) {
      for (const [address, versions] of past) {
        const later = versions.findIndex(version => version.slot > slot)
        if (later < 0) continue
        const [first] = versions.splice(later)
        vm.write(address, first?.before ?? NO_ACCOUNT)
        indexed(address)
      }
    },
    place(address, account) {
      vm.write(address, account)
      indexed(address)
    },
    tokenAccounts(by, key, block) {
      const found: { address: string; account: Account }[] = []
      for (const address of tokens[by].get(key) ?? []) {
        const account = at(address, block)
        const token = readTokenAccount(account)
        if (account && token?.[by] === key) found.push({ address, account })
      }
      return found
    },
    written: () => [...written],
  }
}

/** The Clock sysvar as a reader of this block sees it: slot, epoch start, epoch, next epoch, unix time. */
function clockAccount(block: Block): Account {
  const epoch = Math.floor(block.slot / SLOTS_PER_EPOCH)
  const data = concat(...[block.slot, block.time, epoch, epoch + 1, block.time].map(value => littleEndian(value, 8)))
  return { lamports: 1_169_280n, owner: 'Sysvar1111111111111111111111111111111111111', data, executable: false }
}

function addTo(map: Map<string, Set<string>>, key: string, address: string): void {
  const set = map.get(key) ?? new Set()
  map.set(key, set.add(address))
}
