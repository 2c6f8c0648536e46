/** A sale that is over: its end does not move any more, and it pays by one outcome. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkAnnounced, checkOutcome } from '../../../scripts/presale/payouts/plans.ts'
import { type Plan, planHash } from '../../../src/worker/services/planFile.ts'
import { canonicalJson, hex, sha256 } from '../../stack/solana/bytes.ts'
import { seededKeypair } from '../../stack/solana/keys.ts'
import { orderMemo } from '../../stack/solana/presale/marks.ts'
import { memo, transfer } from '../../stack/solana/programs.ts'
import { type SolanaStack, startSolana } from '../../stack/solana/server.ts'
import { type OperatorWorld, operatorWorlds } from './operatorWorld.ts'
import { callOf, clockAhead, openWorld, secondNode, twoNodes } from './payouts/world.ts'

const sol = 1_000_000_000n
let stack: SolanaStack
let worlds: ReturnType<typeof operatorWorlds>
let world: OperatorWorld
/** A sale that has its success from payments after `early`. */
let filled: OperatorWorld
let early: { slot: number; time: number }
/** The first version of the terms and one with a later end. */
let both: string[]
beforeAll(async () => {
  stack = await startSolana({ clock: 'manual', seed: 'sale over' })
  worlds = operatorWorlds(stack)
  world = await worlds.published()
  const { tgeAt } = world.terms.vesting as { tgeAt: number }
  both = ['--terms', world.at('terms.json'), '--terms', world.vary('terms-2.json', { version: 2, end: tgeAt })]
  buy('first', sol)
  filled = await worlds.published()
  early = stack.chain.blocks.tip()
  for (let at = 0; at < 9; at += 1) buy(`filled ${at}`, 150n * sol, filled)
  stack.control({ advanceSeconds: Number(world.terms.end) - stack.chain.blocks.tip().time })
  stack.chain.advance(40)
})
afterAll(async () => {
  worlds.close()
  await stack.close()
})

let ids = 0
function buy(name: string, units: bigint, { hash, treasury, marks } = world) {
  const buyer = seededKeypair('sale over', name)
  stack.give(buyer.address, { sol: '200' })
  ids += 1
  const id = ids.toString(16).padStart(16, '0')
  const order = { terms: hash.slice(0, 16), id, asset: 'SOL', units, quoted: 0n, min: 0n }
  stack.chain.run([memo(orderMemo(order)), transfer(buyer.address, treasury, units, [marks.presale])], [buyer])
  stack.chain.advance(40)
}

/** A notice that another tool sends. */
function announceByHand(text: string) {
  const { address } = world.authority
  stack.chain.run([memo(text), transfer(address, address, 0n, [world.marks.notice])], [world.authority])
  stack.chain.advance(40)
}

const publishLater = (more: string[] = [], way = {}) =>
  world.signed(['publish', ...both, ...worlds.publishing.slice(1), ...more], way)

test('a version with a later end is refused after the end, with both times', async () => {
  const { code, err } = await publishLater()
  expect(err).toMatch(/version 2 expected a sale before its end on \S+.*, the chain’s time is \S+/)
  expect([code, world.notices().length]).toEqual([1, 2])
})

test('also by a first node whose clock is behind, which a second one tells', async () => {
  const call = twoNodes(clockAhead(stack.chain, -86_400), callOf(stack.chain))
  const { code, err } = await publishLater([...secondNode, '--dry-run'], { call })
  expect(err).toMatch(/version 2 expected a sale before its end on \S+.*, the chain’s time is \S+/)
  expect(code).toBe(1)
})

test('and after the result, which is named', async () => {
  expect((await world.signed(['result', 'failed'])).code).toBe(0)
  const { code, err } = await publishLater()
  expect(err).toContain('version 2 expected a sale without a result, got one that is announced as failed')
  expect([code, world.notices().length]).toEqual([1, 4])
})

test('after a plan that gives accepted money back no tokens are planned, whatever was announced since', async () => {
  const refunds = await world.signed(['plan', '--kind', 'refunds', '--json'])
  expect(JSON.parse(refunds.out.trim().split('\n').at(-1) ?? '')).toMatchObject({
    payments: 1,
    units: { SOL: '1000000000' },
  })
  const later = canonicalJson({ ...world.terms, version: 2, end: (world.terms.vesting as { tgeAt: number }).tgeAt })
  announceByHand(`mai1n:6:terms:${hex(sha256(later))}`)
  for (let at = 0; at < 9; at += 1) buy(`late ${at}`, 150n * sol)
  expect((await world.signed(['close', ...both])).code).toBe(0)
  expect(JSON.parse((await world.run(['status', ...both, '--json'])).out)).toMatchObject({ outcome: 'success' })
  const notices = world.notices().length
  const tokens = ['plan', '--kind', 'tokens', '--tranche', '0', '--reserve', stack.accounts.reserveTokens, ...both]
  const { code, err } = await world.signed(tokens)
  expect(err).toMatch(
    /a plan for tokens expected that accepted payments stay, got plan [0-9a-f]{64}, which gives them back/,
  )
  expect([code, world.notices().length]).toEqual([1, notices])
})

test('plans of both outcomes are neither announced nor paid one after the other', () => {
  const { tokenPlan, solPlan } = openWorld('both outcomes')
  const named = (plan: Plan) => ({ plan, hash: planHash(plan) })
  const refused = solPlan('refused', { count: 2, lanes: 1 })
  const accepted = JSON.parse(JSON.stringify(refused).replaceAll(':refund', ':accepted')) as Plan
  const [tokens, back, other] = [named(tokenPlan('tokens', { count: 2, lanes: 1 })), named(accepted), named(refused)]
  const noTokens = `a plan that gives accepted payments back expected no tokens for them, got plan ${tokens.hash}`
  const noMoney = `a plan for tokens expected that accepted payments stay, got plan ${back.hash}`
  expect(() => checkOutcome(back.plan, [tokens])).toThrow(noTokens)
  expect(() => checkAnnounced(back, [tokens, back])).toThrow(noTokens)
  expect(() => checkAnnounced(tokens, [back, tokens])).toThrow(noMoney)
  // Refused payments go back whatever the outcome is, and the first plan stands
  checkAnnounced(other, [tokens, other])
  checkAnnounced(tokens, [other, tokens, back])
  checkOutcome({ ...tokens.plan, batches: [] }, [back])
})

test('a first node that lacks the last payments, and whose clock is past the end, does not make the sale fail', async () => {
  stack.chain.advance(100)
  const { tip } = stack.chain.blocks
  const lag = tip().slot - early.slot
  // By its clock it is a little behind the second node
  const first = clockAhead(stack.chain, tip().time - early.time - 5, lag)
  const args = ['result', 'failed', '--dry-run', ...secondNode]
  const { code, err } = await filled.run(args, { call: twoNodes(first, callOf(stack.chain)) })
  expect(err).toMatch(
    /second\.test leads to a sale that is success in slot \d+, the first to one that is failed in slot/,
  )
  expect(code).toBe(1)
})
