/** The operator of a journey's sale: the commands of `npm run presale`. */
import { expect } from '@playwright/test'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { presaleCommand } from '../../scripts/presale/command.ts'
import type { Stack } from '../stack/start.ts'

const keys = ['authority', 'treasury', 'reserve'] as const

/** The operator's command over the stack's sale; the folder of the terms is what the page's host serves after each verb. */
export async function openOffice({ solana }: Stack) {
  const folder = mkdtempSync(join(tmpdir(), 'mai-office-'))
  const published = join(folder, 'sale')
  mkdirSync(published)
  writeFileSync(join(published, 'terms.json'), await (await fetch(solana.info.termsUrl)).text())
  for (const name of keys)
    writeFileSync(join(folder, name), JSON.stringify([...solana.accounts[name].secretKey]), { mode: 0o600 })
  return {
    /** @param key signs, where the verb sends something */
    async presale(key: (typeof keys)[number] | undefined, ...args: string[]) {
      let said = ''
      const write = (text: string) => (said += text)
      const keypair = key ? ['--keypair', join(folder, key)] : []
      const asked = [...args, '--terms', join(published, 'terms.json'), '--rpc', solana.url, ...keypair]
      const wait = async () => solana.chain.advance(33)
      const code = await presaleCommand(asked, { out: { write }, err: { write }, directory: folder, wait })
      expect(code, said).toBe(0)
      const files = readdirSync(published).filter(name => name !== 'terms.json')
      const replace = Object.fromEntries(files.map(name => [name, readFileSync(join(published, name), 'utf8')]))
      solana.control({ operator: { replace } })
      solana.chain.advance(40)
    },
    close: () => rmSync(folder, { recursive: true }),
  }
}
