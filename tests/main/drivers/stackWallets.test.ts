// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest'
import type { PageFact } from '../../../src/events/app.ts'
import type { PageAnswer } from '../../../src/events/wire.ts'
import { createWallets, type BrowserWallets } from '../../../src/main/drivers/wallets/wallets.ts'
import { install } from '../../stack/installed/install.ts'
import { connecting, restoring, settled } from './smallWallet.ts'

// The driver against the wallets of the local stack, honest and hostile.

let wallets: BrowserWallets | undefined
afterEach(() => {
  wallets?.close()
  for (const control of Object.values(window.__wallets)) control.unregister()
})

type Installed = Parameters<typeof install>[0]['wallets']

async function pageWith(...installed: Installed) {
  const said: PageFact[] = []
  const answers: PageAnswer[] = []
  install({ rpcUrl: 'http://127.0.0.1:1', wallets: installed })
  wallets = createWallets({ window, dispatch: fact => said.push(fact) })
  wallets.setDeliver(async (_, answer) => void answers.push(answer))
  await settled()
  const names = () => said.flatMap(fact => (fact.type === 'installed.announced' ? [fact.data.name] : []))
  return { said, answers, names, wallets }
}

test('stack wallet: it connects, and is restored without a prompt', async () => {
  const { answers, wallets, names } = await pageWith({ name: 'Quill', word: 'driver', policy: { connect: 'approve' } })
  expect(names()).toEqual(['Quill'])
  wallets.perform({ id: 'e1', ...connecting() })
  await settled()
  wallets.perform({ id: 'e2', ...restoring() })
  await settled()
  const accounts = [window.__wallets.Quill?.address()]
  expect(answers).toMatchObject([
    { type: 'wallet.connected', accounts },
    { type: 'wallet.connected', accounts },
  ])
  expect(window.__wallets.Quill?.prompts.connect).toBe(1)
})

test('stack wallet: its person declines', async () => {
  const { answers, wallets } = await pageWith({ name: 'Quill', word: 'driver', policy: { connect: 'decline' } })
  wallets.perform({ id: 'e1', ...connecting() })
  await settled()
  expect(answers).toMatchObject([{ type: 'wallet.failed', failure: { code: 'user_rejected' } }])
})

test('stack wallet: hostile wallets leave the honest one usable, and add few facts', async () => {
  const { said, names, answers, wallets } = await pageWith(
    { name: 'Throwing', hostile: 'throwing' },
    { name: 'Nonsense', hostile: 'nonsense' },
    { name: 'Flood', hostile: 'flood' },
    { name: 'Changing', hostile: 'changing' },
    { name: 'Quill', word: 'driver', policy: { connect: 'approve' } },
  )
  expect(names().filter(name => name === 'Quill')).toEqual(['Quill'])
  expect(names().length).toBeLessThanOrEqual(64)
  expect(said.length).toBeLessThanOrEqual(64 + 17)
  wallets.perform({ id: 'e1', ...connecting() })
  await settled()
  expect(answers).toMatchObject([{ type: 'wallet.connected', accounts: [window.__wallets.Quill?.address()] }])
})
