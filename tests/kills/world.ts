/** Surroundings of kills: the local stack's chain with a funded wallet, and this folder's page, built and served. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serveSite } from '../../scripts/preview.ts'
import { buildPages } from '../bench/builds.ts'
import type { Chance } from './chance.ts'
import type { Stack } from '../stack/start.ts'

/** Blocks after which everything before them is final. */
export const finalBlocks = 40
/** Blocks after which earlier transactions can no longer land. */
export const expiryBlocks = 200

export type KillWorld = { stack: Stack; folder: string; url: string; close(): Promise<void> }

/** Builds the page for this stack and serves it; about 2 s. */
export async function startKillWorld(stack: Stack): Promise<KillWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'mai-kills-'))
  const outDir = join(folder, 'page')
  await buildPages({ outDir, addresses: stack.addresses }, join(import.meta.dirname, 'page'), ['kills.html'])
  const site = await serveSite({ dir: outDir, port: 0 })
  return {
    stack,
    folder,
    url: `${site.url}kills.html`,
    async close() {
      await site.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Funds a visitor for every order of one round. */
export function fund({ solana }: Stack, address: string): void {
  solana.give(address, { sol: '50', usdc: '0' })
  solana.chain.advance(finalBlocks)
}

/** Advances the chain a little or far; the next payment is final at once, or has to be waited for. */
export function goOn({ solana }: Stack, chance: Chance): void {
  solana.control({ advanceOnSend: chance.oneOf([finalBlocks, finalBlocks, 2]) })
  solana.chain.advance(chance.below(10) === 0 ? finalBlocks : 1)
}
