/** Builds the folder for hosts without a bundler: the module, the classic script, their chunks, the worker, and the tags. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { type BuildSettings, classicConfig, embedConfig } from '../vite.config.ts'
import { embedTags, hashOf } from './integrity.ts'

/** @param settings `outDir` is the folder of the embed alone */
export async function buildEmbed(settings: BuildSettings): Promise<void> {
  await build({ ...embedConfig(settings), logLevel: 'warn' })
  const file = (name: string) => readFileSync(join(settings.outDir, name))
  await build({ ...classicConfig(settings, hashOf(file('embed.js'))), logLevel: 'warn' })
  writeFileSync(join(settings.outDir, 'tag.txt'), embedTags(file('embed.js'), file('mai-modal.js')))
}
