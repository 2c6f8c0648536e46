/** Size of each loading step in a visitor's browser, after gzip. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Budget, measure } from '../../scripts/budget.ts'
import { root, sizeAlone } from './builds.ts'
import type { Row } from './verdict.ts'
import type { World } from './world.ts'

const reactAlone = `
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
createRoot(document.body).render(createElement('p', null, 'x'))`

const web3Alone = `
import * as web3 from '@solana/web3.js'
import * as token from '@solana/spl-token'
globalThis.whole = { web3, token }`

const lazyPart = 'src/worker/drivers/solana/order/prepare.ts'

/** The budgets of `budget.json`, and the chunk loaded only for an order. */
export async function sizes(world: World): Promise<Row[]> {
  const { budgets } = JSON.parse(readFileSync(join(root, 'budget.json'), 'utf8')) as { budgets: Budget[] }
  const named = (name: string): Budget => {
    const found = budgets.find(one => one.name === name)
    if (!found) throw new Error(`budget.json expected the budget “${name}”, it is not there`)
    return found
  }
  const page = named('page before the connect button works')
  const runtime = named('its runtime, on top')
  const modal = named('opening the modal, on top')
  const worker = named('worker before a transaction is built')
  const graph = (await world.published()).built
  const baseline = gzipSync(readFileSync(join(root, 'src/main/public/baseline.js')), { level: 9 }).length
  const lazy = { name: 'transactions', from: lazyPart, after: worker.name, limitKB: 0 }
  const measured = measure(graph, [page, runtime, modal, worker, lazy], { [page.name]: baseline })
  const empty = measured.find(one => one.files.length === 0)
  if (empty) throw new Error(empty.problem ?? `“${empty.name}” has no files of its own`)
  const kB = measured.map(one => one.kB)
  const [pageKB = 0, , modalKB = 0, workerKB = 0, lazyKB = 0] = kB
  const limit = ({ limitKB }: Budget) => ({ what: 'its line in budget.json', value: limitKB })
  return [
    {
      name: `size: ${page.name}`,
      unit: 'kB',
      ours: pageKB,
      comparison: { what: 'react and react-dom alone', value: await sizeAlone(reactAlone) },
      goal: { of: 'ours', atMost: 85 },
    },
    {
      name: `size: ${modal.name}`,
      unit: 'kB',
      ours: modalKB,
      comparison: limit(modal),
      goal: { of: 'ours', atMost: 30 },
    },
    {
      name: `size: ${worker.name}`,
      unit: 'kB',
      ours: workerKB,
      comparison: limit(worker),
      goal: { of: 'ours', atMost: 100 },
    },
    {
      name: 'size: building transactions, when an order is near',
      unit: 'kB',
      ours: lazyKB,
      comparison: { what: 'all of web3.js and spl-token', value: await sizeAlone(web3Alone) },
    },
  ]
}
