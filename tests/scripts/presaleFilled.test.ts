/** `npm run presale -- ledger` over sales with every kind of order, from a node that lists them badly. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { presaleCommand } from '../../scripts/presale/command.ts'
import type { Fill } from '../stack/solana/presale/fill/fill.ts'
import { type SolanaStack, startSolana } from '../stack/solana/server.ts'

const folder = mkdtempSync(join(tmpdir(), 'mai-filled-'))
const fills: Fill[] = [
  { orders: 150, ending: 'live', allowlist: true },
  { orders: 150, ending: 'closed' },
  { orders: 150, ending: 'failed' },
]
let stacks: SolanaStack[]
beforeAll(async () => {
  stacks = await Promise.all(fills.map(fill => startSolana({ clock: 'manual', seed: 'filled ledger', fill })))
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await Promise.all(stacks.map(stack => stack.close()))
})
afterEach(() => {
  for (const stack of stacks) stack.control({ faults: {}, slotOrder: 'block', transactionIndex: true })
})

async function ledgerOf(stack: SolanaStack, ...more: string[]) {
  const told = { out: '', err: '' }
  const saved = async (path: string) => {
    const answer = await fetch(stack.url + path)
    if (!answer.ok) return undefined
    writeFileSync(join(folder, path), await answer.text())
    return join(folder, path)
  }
  const list = await saved('/allowlist.txt')
  const terms = (await saved('/terms.json')) ?? ''
  const args = ['ledger', '--terms', terms, '--rpc', stack.url, ...(list ? ['--allowlist', list] : []), ...more]
  const code = await presaleCommand(args, {
    out: { write: text => (told.out += text) },
    err: { write: text => (told.err += text) },
    call: fetch,
    directory: folder,
    wait: async () => undefined,
  })
  return { code, lines: told.out.split('\n').slice(0, -1), said: told.err }
}

describe('the ledger of a filled sale', () => {
  test.each(fills.map((fill, place) => [fill.ending, place] as const))(
    '%s is the second implementation’s, byte for byte',
    async (_ending, place) => {
      const stack = stacks[place] as SolanaStack
      const { code, lines } = await ledgerOf(stack)
      expect([code, lines]).toEqual([0, stack.operator.evaluate().lines])
    },
  )

  test.each([
    ['pages that overlap', { faults: { getSignaturesForAddress: { kind: 'overlap' } } }],
    ['lists in the order of signatures and no places', { slotOrder: 'signature', transactionIndex: false }],
    ['lists in backward order', { slotOrder: 'backward' }],
  ])('is the same from a node with %s', async (_name, order) => {
    const stack = stacks[1] as SolanaStack
    const { lines } = await ledgerOf(stack)
    stack.control(order)
    expect((await ledgerOf(stack)).lines).toEqual(lines)
  })

  test('agrees with the operator’s checkpoint, also about what is owed after a failure', async () => {
    for (const stack of stacks) {
      const file = join(folder, 'checkpoint.json')
      writeFileSync(file, await (await fetch(`${stack.url}/checkpoint.json`)).text())
      const { code, said } = await ledgerOf(stack, '--checkpoint', file)
      expect([code, said]).toEqual([0, expect.stringMatching(/equal to +\S*checkpoint\.json/)])
    }
  })

  test('is refused when the places in the block are wrong', async () => {
    const stack = stacks[1] as SolanaStack
    stack.control({ transactionIndex: 'wrong' })
    const { code, lines, said } = await ledgerOf(stack)
    expect([code, lines]).toEqual([1, []])
    expect(said).toContain('a transaction is missing')
  })
})
