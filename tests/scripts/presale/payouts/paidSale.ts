/** A filled sale of the local chain with the operator's files, and the command at work on it. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { presaleCommand } from '../../../../scripts/presale/command.ts'
import { openNode } from '../../../../scripts/presale/node.ts'
import { readTerms } from '../../../../src/events/sale/terms/terms.ts'
import { presaleRef } from '../../../../src/worker/chains/solana/references.ts'
import type { InputOf } from '../../../../src/worker/drivers/drive.ts'
import type { Rpc } from '../../../../src/worker/drivers/solana/rpc.ts'
import { createPurchasesDriver } from '../../../../src/worker/drivers/solana/sale/purchases.ts'
import { createHttp } from '../../../../src/worker/host/aloneTransport.ts'
import { createVerify } from '../../../../src/worker/drivers/walletconnect/verify.ts'
import type { Ending } from '../../../stack/solana/presale/fill/fill.ts'
import { startSolana } from '../../../stack/solana/server.ts'
import { readTokenAccount } from '../../../stack/solana/tokens.ts'
import { callOf } from './world.ts'

const keys = ['authority', 'treasury', 'reserve'] as const

export type PaidSale = Awaited<ReturnType<typeof openPaidSale>>

export async function openPaidSale(seed: string, ending: Ending) {
  const stack = await startSolana({ clock: 'manual', seed, fill: { orders: 150, ending } })
  const folder = mkdtempSync(join(tmpdir(), 'mai-payouts-'))
  const inFolder = (...names: string[]) => join(folder, ...names)
  mkdirSync(inFolder('sale'))
  writeFileSync(inFolder('sale', 'terms.json'), await (await fetch(`${stack.url}/terms.json`)).text())
  for (const name of keys)
    writeFileSync(inFolder(`${name}.json`), JSON.stringify([...stack.accounts[name].secretKey]), { mode: 0o600 })
  let said = ''
  async function run(args: string[], directory: string, more: { call?: typeof fetch; isTTY?: boolean } = {}) {
    const told = { out: '', err: '' }
    const code = await presaleCommand(args, {
      out: { write: text => (told.out += text) },
      err: { write: text => (told.err += text), isTTY: more.isTTY ?? false },
      directory,
      call: more.call ?? callOf(stack.chain),
      wait: async () => stack.chain.advance(33),
    })
    said += told.out + told.err
    return { code, ...told }
  }
  return {
    stack,
    inFolder,
    state: inFolder('presale-state', 'mai-presale-1'),
    key: (name: (typeof keys)[number]) => ['--keypair', inFolder(`${name}.json`)],
    /** Runs the command on the sale; `more.call` stands in for the chain's answers. */
    async presale(args: string[], more: { call?: typeof fetch; isTTY?: boolean } = {}) {
      return run([...args, '--terms', inFolder('sale', 'terms.json'), '--rpc', stack.url], folder, more)
    },
    /** Runs the command without terms and node, in a working directory. */
    alone: (args: string[], directory = folder) => run(args, directory),
    /** units of an account: tokens of a token account, lamports of a wallet */
    held(address: string): bigint {
      const account = stack.chain.accounts.now(address)
      return readTokenAccount(account)?.amount ?? account?.lamports ?? 0n
    },
    json: (...names: string[]) => JSON.parse(readFileSync(inFolder(...names), 'utf8')),
    /** forms of secret halves that stand in an output or a file beside the keys' own */
    leaks(): string[] {
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter(name => !keys.some(key => name === `${key}.json`) && statSync(inFolder(name)).isFile())
        .map(name => readFileSync(inFolder(name), 'latin1'))
      const texts = [said, ...files]
      return keys.flatMap(name => {
        const secret = stack.accounts[name].secretKey.slice(0, 32)
        const forms = [
          Buffer.from(secret).toString('hex'),
          Buffer.from(secret).toString('base64').slice(0, 40),
          secret.join(','),
        ]
        return forms.filter(form => texts.some(text => text.includes(form)))
      })
    },
    async close() {
      rmSync(folder, { recursive: true })
      await stack.close()
    },
  }
}

/** The core's own reading of an account's purchases and payouts. */
export async function readPurchases(
  sale: PaidSale,
  account: string,
  known: string[] = [],
): Promise<InputOf<'chain.purchases'>> {
  const node = openNode('http://chain.test', { call: callOf(sale.stack.chain), wait: async () => undefined })
  /** The folder of the published files. */
  const host: typeof fetch = async url => {
    const file = sale.inFolder('sale', new URL(String(url)).pathname.slice(1))
    return existsSync(file) ? new Response(readFileSync(file)) : new Response('', { status: 404 })
  }
  const drivers = createPurchasesDriver({
    rpc: node as unknown as Rpc,
    verify: createVerify(),
    http: createHttp({ fetch: host }),
    termsUrl: 'https://sale.test/terms.json',
  })
  const { terms } = readTerms(readFileSync(sale.inFolder('sale', 'terms.json'), 'utf8'))
  const plans = sale.stack.operator.evaluate().lines.flatMap(line => /:plan:([0-9a-f]{64})/.exec(line)?.[1] ?? [])
  const presale = presaleRef(terms.authority, terms.id)
  const data = { account, presaleRef: presale, terms, known, plans: [...new Set(plans)] }
  return new Promise((resolve, reject) => {
    const drive = drivers['chain.readPurchases']
    const answer: Parameters<typeof drive>[1] = ({ type, data: read }) =>
      type === 'chain.purchases' ? resolve(read as InputOf<'chain.purchases'>) : reject(new Error(JSON.stringify(read)))
    void drive({ id: 'e1', type: 'chain.readPurchases', data } as unknown as Parameters<typeof drive>[0], answer)
  })
}

/** The JSON that a command wrote, with its exit code. */
export async function jsonOf(run: Promise<{ code: number; out: string }>): Promise<Record<string, any>> {
  const { code, out } = await run
  return { code, ...JSON.parse(out) }
}

export const total = (list: readonly { units: string }[]): bigint =>
  list.reduce((sum, { units }) => sum + BigInt(units), 0n)
