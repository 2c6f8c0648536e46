import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Recording } from '../../src/runtime/recording/recording.ts'
import { momentsOf } from '../../src/runtime/story/moments.ts'
import { foldTo } from '../../src/events/replay/foldTo.ts'
import { creditDecimals, formatAmount } from '../../src/events/values/amount.ts'
import { confirmWindow, connectInstalled, fund, order, orderCard, payments, prompts, settle } from './buying.ts'
import { expect, test } from './fixtures.ts'
import { saveRecording } from './saveRecording.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Runs the command-line replayer. */
function replay(file: string): Promise<{ code: number; said: string }> {
  const args = ['--import', 'tsx', 'src/main/replay.cli.ts', '--quiet', file]
  return new Promise(resolve => {
    execFile(process.execPath, args, { cwd: root }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, said: stdout + stderr }),
    )
  })
}

/** @returns the sum raised according to a recording's last sale checkpoint, as displayed */
function raisedIn({ records }: Recording): string {
  const moments = momentsOf(records)
  const { notices } = foldTo(moments, moments.length).sale
  const raised = notices?.checkpoint?.raised ?? '0'
  return `$${formatAmount(raised, creditDecimals, { maxDecimals: 2, minDecimals: 2 })}`
}

test(
  'a wallet that only signs and sends at once buys once, and the recording of it shows the same again',
  { tag: '@long' },
  async ({ visit, stack, site }, testInfo) => {
    const visitor = await visit({ wallets: [{ name: 'Heron', word: testInfo.testId, features: 'sendOnly' }] })
    const page = await visitor.open()
    const account = await connectInstalled(page, 'Heron')
    await fund(stack, page, account)
    await order(page, { asset: 'SOL', amount: '1.5' })
    await confirmWindow(page).getByTestId('confirm-approve').click()
    await settle(stack, page)
    const [bought, ...more] = payments(stack, account)
    expect(more).toEqual([])
    expect(bought).toMatchObject({ asset: 'SOL', units: 1_500_000_000n })
    await expect(page.getByTestId('order-signature')).toHaveAttribute('data-signature', bought?.signature ?? '')
    expect(await prompts(page, 'Heron')).toMatchObject({ signAndSendTransaction: 1 })

    const { path, text, recording } = await saveRecording(page, 'send-only-wallet-buy-sol')
    expect(await replay(path)).toMatchObject({ code: 0, said: expect.stringMatching(/identical\n$/) })

    // The frame with the recorded page runs no scripts, not even the installed wallets'.
    visitor.expectTrouble(/Blocked script execution in 'about:blank'/)
    const replayer = await visitor.context.newPage()
    await replayer.goto(`${site.url}replayer.html`)
    const choose = (name: string, content: string) =>
      replayer
        .locator('input[type="file"]')
        .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) })

    // One digit of the paid amount.
    const tampered = text.replace('"1500000000"', '"1600000000"')
    expect(tampered).not.toBe(text)
    await choose('tampered.jsonl', tampered)
    await expect(replayer.getByRole('alert')).toContainText(/recording/i)
    const file = testInfo.outputPath('tampered.jsonl')
    await writeFile(file, tampered)
    expect(await replay(file)).toMatchObject({ code: 2, said: expect.stringMatching(/recording/) })
    await choose('letter.txt', 'Dear team, it does not work.')
    await expect(replayer.getByRole('alert')).toContainText(/not a recording/i)

    await choose('bought.replay.jsonl', text)
    await expect(replayer.getByText('every byte equal')).toBeVisible()
    await replayer.keyboard.press('End')
    const shown = replayer.frameLocator('iframe[title="The page at this point"]')
    await expect(shown.getByTestId('raised')).toHaveText(raisedIn(recording))
    expect(await page.getByTestId('raised').textContent(), 'the sum is a stand-in').not.toBe(raisedIn(recording))
    await expect(orderCard(page)).toHaveAttribute('data-phase', 'finalised')
    await expect(shown.getByTestId('order-status')).toHaveAttribute('data-phase', 'finalised')
    await replayer.keyboard.press('Home')
    await expect(shown.getByTestId('order-status')).toHaveCount(0)
  },
)

test('what cannot be redacted is not saved, and no plain log instead; a saved file has no time in its name', async ({
  visit,
}) => {
  const visitor = await visit()
  visitor.expectTrouble(/Failed to load resource|redactor/)
  const page = await visitor.open()
  await connectInstalled(page)
  const redactor = /\/assets\/redactor[^/]*\.js$/
  await visitor.context.route(redactor, route => route.abort())
  const downloads: string[] = []
  page.on('download', download => downloads.push(download.suggestedFilename()))
  await page.getByTestId('download-recording').click()
  await expect(page.locator('footer output')).toHaveText('The report could not be saved.')
  await visitor.context.unroute(redactor)

  await test.step('the name of the file holds no time, by which the times in it could be moved back', async () => {
    await saveRecording(page)
    expect(downloads).toHaveLength(1)
    await saveRecording(page)
    expect(downloads).toHaveLength(2)
    for (const name of downloads) expect(name).toMatch(/^mai-[0-9a-f]{8}\.replay\.jsonl$/)
    expect(new Set(downloads).size).toBe(2)
  })
})
