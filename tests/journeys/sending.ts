/** Steps of a transfer out of the account. */
import { expect, type Locator, type Page } from '@playwright/test'
import { TOKEN } from '../stack/solana/programs.ts'
import { readTokenAccount } from '../stack/solana/tokens.ts'
import type { Stack } from '../stack/start.ts'
import { associatedTokenAddress, isOnCurve } from '../../src/worker/chains/solana/ata.ts'
import { decodeBase58 } from '../../src/events/values/solana/base58.ts'
import { confirmWindow } from './buying.ts'

/** How the transfer stands, on its last screen. */
export const transfer = (page: Page): Locator => page.getByTestId('send-status')

/** Waits until the transfer shows a phase. */
export async function transferIs(page: Page, phase: string | RegExp): Promise<void> {
  await expect(transfer(page)).toHaveAttribute('data-phase', phase)
}

/** Opens the form from the page. */
export async function openForm(page: Page): Promise<void> {
  await page.getByTestId('account-button').click()
  await page.getByTestId('send').click()
  await expect(page.getByTestId('send-review')).toBeVisible()
}

/** Chooses SOL or a mint, and writes amount and recipient. */
export async function write(page: Page, draft: { asset: string; amount: string; to: string }): Promise<void> {
  await choose(page, draft.asset)
  await page.getByTestId('send-amount').fill(draft.amount)
  await page.getByTestId('send-recipient').fill(draft.to)
}

export async function choose(page: Page, asset: string): Promise<void> {
  await page.getByTestId('send-token').click()
  await page.locator(`[data-testid="send-token-row"][data-asset="${asset}"]`).click()
  await expect(page.getByTestId('send-review')).toBeVisible()
}

/** Has it built, and reads it once more. */
export async function review(page: Page): Promise<void> {
  await page.getByTestId('send-review').click()
  await expect(page.getByTestId('send-preview')).toBeVisible()
}

/** Presses for the wallet's prompt, and approves in it. */
export async function approve(page: Page): Promise<void> {
  await page.getByTestId('send-press').click()
  await confirmWindow(page).getByTestId('confirm-approve').click()
}

/** Advances the chain until a sent transfer is final. */
export async function settleTransfer(stack: Stack, page: Page): Promise<void> {
  await transferIs(page, /seen|confirmed/)
  stack.solana.chain.advance(2)
  await transferIs(page, /confirmed/)
  stack.solana.chain.advance(40)
  await transferIs(page, 'finalised')
}

export const lamportsOf = ({ solana }: Stack, address: string): bigint =>
  solana.chain.accounts.now(address)?.lamports ?? 0n

export const heldBy = ({ solana }: Stack, owner: string, mint: string, program: string = TOKEN): bigint =>
  readTokenAccount(solana.chain.accounts.now(associatedTokenAddress(owner, mint, program)))?.amount ?? 0n

/** @returns a wallet's address that begins and ends like this one: its letters turned, until a key has it */
export function alike(address: string): string {
  const middle = address.slice(4, -4)
  for (let turn = 1; turn < middle.length; turn += 1) {
    const one = `${address.slice(0, 4)}${middle.slice(turn)}${middle.slice(0, turn)}${address.slice(-4)}`
    const bytes = decodeBase58(one)
    if (one !== address && bytes?.length === 32 && isOnCurve(bytes)) return one
  }
  throw new Error(`no address like ${address} has a key`)
}
