/**
 * A gate: every named drainer in many disguises against the check before the wallet's request and the check of the
 * signed bytes, and honest wallets in many variations. Nothing hostile passes, nothing honest is refused.
 */
import { describe, expect, test } from 'vitest'
import { buyer } from '../worker/chains/solana/exampleOrder.ts'
import { builtOrder, disguised, dressedOrder, harmless, isAsked, isSent } from './disguises.ts'
import { type Drainer, drainers } from './drainers.ts'
import { signedBy } from './make.ts'

/** Disguises of each drainer; `DISGUISES=1000` for a night's run. */
const mutations = Number(process.env.DISGUISES ?? 5)
const variations = 40 * mutations

/** Judged so far by the tests of this file. */
const counts = { disguises: 0, accepted: 0, honest: 0, refused: 0 }

async function accepted(drainer: Drainer, isTransfer = false): Promise<string[]> {
  const found: string[] = []
  for (let round = 0; round < mutations; round += 1) {
    const seed = `${drainer.name} ${round}`
    const { asked, sent } = disguised(drainer, seed, isTransfer)
    if (asked && isAsked(asked())) found.push(`asked: ${seed}`)
    if (await isSent(sent())) found.push(`sent: ${seed}`)
  }
  counts.disguises += mutations
  counts.accepted += found.length
  return found
}

describe('a drainer is neither shown to a wallet nor sent', () => {
  test('at least 60 of them, each by its own name', () => {
    expect(drainers.length).toBeGreaterThanOrEqual(60)
    expect(new Set(drainers.map(({ name }) => name)).size).toBe(drainers.length)
  })

  test.each(drainers.map(drainer => [drainer.name, drainer] as const))('%s', async (_name, drainer) => {
    expect(await accepted(drainer)).toEqual([])
  })

  test.each(drainers.map(drainer => [drainer.name, drainer] as const))('in a transfer: %s', async (name, drainer) => {
    if (harmless.includes(name)) expect(drainer.only).toBeUndefined()
    else expect(await accepted(drainer, true)).toEqual([])
  })
})

describe('an honest wallet is never refused', () => {
  test('when it adds assertions and settings within the cap, in either version and asset', async () => {
    const refused: string[] = []
    for (let round = 0; round < variations; round += 1) {
      if (!(await isSent(dressedOrder(`honest ${round}`)))) refused.push(`honest ${round}`)
    }
    counts.honest += variations
    counts.refused += refused.length
    expect(refused).toEqual([])
  })

  test('when it signs as requested, any transaction of this page', async () => {
    const refused: string[] = []
    for (let round = 0; round < variations; round += 1) {
      const { bytes, as } = builtOrder(`built ${round}`)
      if (!isAsked({ bytes, as }) || !(await isSent({ bytes: signedBy(bytes, buyer), as })))
        refused.push(`built ${round}`)
    }
    counts.honest += variations
    counts.refused += refused.length
    expect(refused).toEqual([])
  })
})

test('drainers: every disguise and variation was judged', () => {
  const { disguises, accepted: taken, honest: variants, refused } = counts
  console.log(
    `${disguises} disguises of drainers: ${taken} accepted. ${variants} honest variations: ${refused} refused.`,
  )
  expect(counts).toMatchObject({ accepted: 0, refused: 0, honest: 2 * variations })
  expect(disguises).toBeGreaterThanOrEqual(2 * 60 * mutations)
})
