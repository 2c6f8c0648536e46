/** Plans and payouts of a sale in SOL alone that were killed, and the commands that come after. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seededKeypair } from '../../../stack/solana/keys.ts'
import { transfer } from '../../../stack/solana/programs.ts'
import { type SolanaStack, startSolana } from '../../../stack/solana/server.ts'
import { asThePage, methodOf, operatorWorld, type OperatorWorld, writeKey } from '../operatorWorld.ts'

let stack: SolanaStack
let world: OperatorWorld
let treasury: string[]
const payers = ['one', 'two'].map(name => seededKeypair('interrupted', name))
const payments: string[] = []
beforeAll(async () => {
  stack = await startSolana({ clock: 'manual', seed: 'interrupted' })
  world = await operatorWorld(stack, 'interrupted')
  const assets = (world.terms.assets as { symbol: string }[]).filter(({ symbol }) => symbol === 'SOL')
  const { withinDays } = world.terms.refund as { withinDays: number }
  Object.assign(world.terms, { assets, refund: { minUnits: { SOL: '1000000' }, withinDays } })
  world.vary('terms.json', {})
  writeKey(world.at('treasury.key'), seededKeypair('operator world', 'interrupted treasury'))
  treasury = ['--keypair', world.at('treasury.key')]
  expect((await world.signed(['init'])).code).toBe(0)
  expect((await world.signed(['publish', '--reserve', stack.accounts.reserveTokens])).code).toBe(0)
  for (const payer of payers) {
    stack.give(payer.address, { sol: '10' })
    payments.push(stack.chain.run([transfer(payer.address, world.treasury, 2_000_000_000n)], [payer]))
  }
  // For fees and nonce accounts
  const funding = transfer(world.authority.address, world.treasury, 1_000_000_000n)
  stack.chain.run([funding], [world.authority])
  stack.chain.advance(40)
})
afterAll(async () => {
  world.close()
  await stack.close()
})

const planning = (payment: number, payee = payers[payment]?.address) => [
  'plan',
  '--kind',
  'refunds',
  '--approve',
  `${payments[payment]}=${payee}`,
]

/** A life of a command that ends with the answer that its notice is final, before it has written a file. */
function untilFinal(): typeof fetch {
  let [isSent, isOver] = [false, false]
  return async (url, init) => {
    if (isOver) throw new TypeError('killed')
    const answer = await fetch(url, init)
    const method = methodOf(init)
    if (method === 'sendTransaction') isSent = true
    if (isSent && method === 'getSignatureStatuses') isOver = (await answer.clone().text()).includes('"finalized"')
    return answer
  }
}

const listed = () => JSON.parse(readFileSync(world.at('notices.json'), 'utf8')).seq
const planFile = (hash: string) => world.at(`plan-${hash.slice(0, 16)}.json`)

test('a plan killed behind its notice is told by the same command again, and its files are written', async () => {
  expect((await world.signed(planning(0), { call: untilFinal() })).code).toBe(1)
  expect([listed(), world.notices().length]).toEqual([2, 3])
  const again = await world.signed([...planning(0), '--json'])
  const told = JSON.parse(again.out.trim().split('\n').at(-1) ?? '')
  const { hash, plan } = told.newest
  const files = ['notices.json', planFile(hash).split('/').at(-1)]
  expect([again.code, told]).toEqual([0, expect.objectContaining({ plan: null, batches: 0, files })])
  expect(readFileSync(planFile(hash), 'utf8')).toBe(readFileSync(plan, 'utf8'))
  expect([(await asThePage(stack, world)).board.plans, listed(), world.notices().length]).toEqual([[hash], 3, 3])
  const third = await world.signed(planning(0))
  expect([third.code, third.out.split('\n').slice(-3)]).toEqual([
    0,
    [expect.stringContaining('left apart, needs_approval'), `  announced before: plan ${hash}, ${plan}`, ''],
  ])
})

test('an approval of a planned payment to another payee is refused, with both', async () => {
  const { code, err } = await world.signed(planning(0, payers[1]?.address))
  expect(err).toContain(
    `--approve expected ${payers[0]?.address}, whom an announced plan pays for ${payments[0]}, got ${payers[1]?.address}`,
  )
  expect([code, world.notices().length]).toEqual([2, 3])
})

test('approvals of a planned and of another payment give a plan of the other one', async () => {
  const { code, out } = await world.signed([...planning(0), ...planning(1).slice(3), '--dry-run', '--json'])
  const told = JSON.parse(out.trim().split('\n').at(-1) ?? '')
  expect([code, told]).toEqual([0, expect.objectContaining({ payments: 1, units: { SOL: '2000000000' }, apart: [] })])
})

test('a limit of tokens is refused for a plan of SOL alone, in any form', async () => {
  for (const most of ['5', 'many']) {
    const { code, err } = await world.run(['refund', ...treasury, '--max-tokens', most])
    expect([code, err]).toEqual([2, 'a plan of SOL alone expected no --max-tokens, got one\n'])
  }
})

test('a notice does not wait for a batch whose payout was killed, and the payout pays it later, once', async () => {
  let isBatchLost = false
  const call: typeof fetch = async (url, init) => {
    if (isBatchLost) throw new TypeError('killed')
    // The lane's nonce account lands, the batch does not
    isBatchLost = methodOf(init) === 'sendTransaction' && world.journal().includes('"about":"batch 0')
    if (isBatchLost) throw new TypeError('killed')
    return fetch(url, init)
  }
  expect((await world.run(['refund', ...treasury], { call })).code).toBe(1)
  const batch = () =>
    world
      .journal()
      .split('\n')
      .filter(line => line.includes('"about":"batch 0'))
      .map(line => JSON.parse(line).kind)
  expect(batch()).toEqual(['signed'])
  const paused = await world.signed(['pause', '--json'])
  expect(JSON.parse(paused.out)).toMatchObject({ outcome: 'sent', seq: 4 })
  expect([paused.code, paused.err, batch()]).toEqual([0, expect.not.stringContaining('batch'), ['signed']])
  const held = () => stack.chain.accounts.now(payers[0]?.address ?? '')?.lamports ?? 0n
  const before = held()
  expect((await world.run(['refund', ...treasury])).code).toBe(0)
  expect([held() - before, batch()]).toEqual([2_000_000_000n, ['signed', 'ended']])
})
