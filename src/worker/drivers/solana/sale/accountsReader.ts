import { Fault } from '../../../../runtime/failure.ts'
import { type AccountInfo, accounts, readAnswer } from '../../../rpc/answers.ts'
import type { Rpc } from '../rpc.ts'

/** Accounts in the order of their addresses, null where none exists, and the node's slot. */
type AccountsRead = { slot: number; found: (AccountInfo | null)[] }

/** Most addresses in one call of `getMultipleAccounts`. */
const mostAddresses = 100

type Waiting = {
  addresses: readonly string[]
  resolve: (read: Promise<AccountsRead>) => void
}

/** @returns reads accounts; all reads of one tick go into one call, each address once. Rejects with Fault as `rpc.call` */
export function createAccountsReader(rpc: Pick<Rpc, 'call'>): (addresses: readonly string[]) => Promise<AccountsRead> {
  let waiting: Waiting[] = []

  async function read(addresses: readonly string[]): Promise<AccountsRead> {
    const result = await rpc.call('getMultipleAccounts', [addresses, { encoding: 'base64', commitment: 'confirmed' }])
    return readAccounts(result, addresses)
  }

  function flush(): void {
    const reads = waiting
    waiting = []
    const all = [...new Set(reads.flatMap(({ addresses }) => addresses))]
    if (all.length > mostAddresses) {
      for (const { addresses, resolve } of reads) resolve(read(addresses))
      return
    }
    const together = read(all)
    for (const { addresses, resolve } of reads)
      resolve(
        together.then(({ slot, found }) => ({
          slot,
          found: addresses.map(address => found[all.indexOf(address)] ?? null),
        })),
      )
  }

  return addresses =>
    new Promise(resolve => {
      waiting.push({ addresses, resolve })
      if (waiting.length === 1) queueMicrotask(flush)
    })
}

/** Reads a fetched result. @throws Fault `bad_response` */
export function readAccounts(result: unknown, addresses: readonly string[]): AccountsRead {
  const { context, value } = readAnswer(accounts, result, 'getMultipleAccounts')
  if (value.length !== addresses.length) {
    throw new Fault('bad_response', `getMultipleAccounts expected ${addresses.length} accounts, got ${value.length}`)
  }
  return { slot: context.slot, found: value }
}
