/** A visitor's steps in a tab of any engine. */
import { expect, type Page } from '@playwright/test'
import { reexecute } from '../../src/worker/replay/reexecute.ts'
import { deciders } from '../../src/worker/deciders/index.ts'
import { differenceReport } from '../../src/runtime/replay/verdict.ts'
import { readRecordingFile } from '../../src/main/page/redaction/recordingFile.ts'
import { approve, pair, question } from '../journeys/pocket.ts'
import type { Stack } from '../stack/start.ts'
import { recordingText } from './recordingText.ts'
import { on, press, type Tab, until } from './tab.ts'

export const textOf = (tab: Tab, css: string, words: string) =>
  until(
    tab,
    `“${words}” in ${css}`,
    (one, wanted) => document.querySelector(one)?.textContent?.includes(wanted),
    css,
    words,
  )

/** Records the page's policy violations and errors, and its workers as they are spoken to. Runs in the page. */
export function watch(): void {
  const wrong: string[] = []
  Object.assign(window, { wrong })
  addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
    wrong.push(`${effectiveDirective} ${blockedURI}`),
  )
  addEventListener('error', ({ message }) => wrong.push(message))
  addEventListener('unhandledrejection', ({ reason }) => wrong.push(String(reason)))
  const workers: Worker[] = []
  Object.assign(window, { workers })
  const { postMessage } = Worker.prototype
  Worker.prototype.postMessage = function (this: Worker, ...args: unknown[]) {
    if (!workers.includes(this)) workers.push(this)
    postMessage.apply(this, args as Parameters<typeof postMessage>)
  }
}

/** Script of a page that is watched from its first moment, and of its worker, which stands still when it is told to. */
export const watched = `
if (globalThis.document) (${watch.toString()})()
else addEventListener('message', ({ data }) => { while (data === 'stand still'); })`

export const wrongIn = (tab: Tab) => tab.run(() => (window as unknown as { wrong: string[] }).wrong)

const codeRow = `${on('wallet-row')}[data-wallet="WalletConnect"]`

export async function copiedCode(tab: Tab): Promise<string> {
  await press(tab, on('connect-button'))
  await until(tab, 'the list', css => document.querySelector(css), on('all-wallets-row'))
  // A phone's list has no row for the code of another device
  const isRow = await tab.run(css => document.querySelector(css) !== null, codeRow)
  if (!isRow) await press(tab, on('all-wallets-row'))
  await press(tab, isRow ? codeRow : on('other-device-code'))
  return copiedLink(tab)
}

/** Chooses the code in a host's open list. @returns its link */
export async function copiedCodeInHost(tab: Tab): Promise<string> {
  await press(tab, codeRow)
  return copiedLink(tab)
}

/** @returns the link of the code that is shown, or is about to be */
async function copiedLink(tab: Tab): Promise<string> {
  await until(tab, 'a code', css => document.querySelector(css) !== null, on('qr'))
  // Not every engine lets a page read the clipboard
  await tab.run(() => {
    const writeText = async (copied: string) => void Object.assign(window, { copied })
    Object.defineProperty(navigator.clipboard, 'writeText', { value: writeText })
  })
  await press(tab, on('copy-uri'))
  return until(tab, 'a copied link', () => (window as unknown as { copied?: string }).copied)
}

export const connected = (tab: Tab): Promise<string> =>
  until(
    tab,
    'a connected account',
    (button, modal) =>
      document.querySelector(modal) ? null : document.querySelector(button)?.getAttribute('data-address'),
    on('account-button'),
    on('modal'),
  )

export const phase = (tab: Tab, ...wanted: string[]) =>
  until(
    tab,
    `an order that is ${wanted.join(' or ')}`,
    (css, phases) => phases.includes(document.querySelector(css)?.getAttribute('data-phase') ?? ''),
    on('order-status'),
    wanted,
  )

type Workers = { workers: Worker[] }

/** Ends the page's worker, or has it stand still, and waits for the next one. The page is a watched one. */
export async function harm(tab: Tab, how: 'killed' | 'frozen'): Promise<void> {
  const before = await until(tab, 'a worker', () => (window as unknown as Workers).workers.length)
  await tab.run(way => {
    const worker = (window as unknown as Workers).workers.at(-1)
    if (way === 'killed') worker?.terminate()
    else worker?.postMessage('stand still')
  }, how)
  await until(tab, 'the next worker', count => (window as unknown as Workers).workers.length > count, before)
}

/** Gives the account 20 SOL and fills in an order of 2. */
export async function draft(tab: Tab, stack: Stack, account: string): Promise<void> {
  stack.solana.give(account, { sol: '20', usdc: '1000' })
  stack.solana.chain.advance(40)
  // The page reads the chain when the browser is online again
  await until(tab, 'the balance', () => {
    dispatchEvent(new Event('online'))
    return document.querySelector('#buy')?.textContent?.includes('Balance 20')
  })
  await tab.type(on('pay-amount'), '2')
  for (const statement of ['terms', 'region', 'risk']) {
    const box = on(`acknowledge-${statement}`)
    // A second order finds them ticked
    const isTicked = await tab.run(css => document.querySelector<HTMLInputElement>(css)?.checked, box)
    if (!isTicked) await press(tab, box)
  }
  await textOf(tab, on('buy-button'), 'Pay 2 SOL')
}

/** @returns approves the request in the wallet; `meanwhile` runs while it asks */
export const inWallet = (wallet: Page, meanwhile?: () => Promise<void>) => async () => {
  await expect(question(wallet, 'request')).toBeVisible()
  await meanwhile?.()
  await approve(wallet, 'request')
}

/** Pays, and sees it final. `answer` approves in the wallet. */
export async function pay(tab: Tab, stack: Stack, answer: () => Promise<void>): Promise<void> {
  await press(tab, on('buy-button'))
  await answer()
  await phase(tab, 'seen', 'confirmed')
  stack.solana.chain.advance(2)
  await phase(tab, 'confirmed')
  stack.solana.chain.advance(40)
  await phase(tab, 'finalised')
}

/** Connects the installed wallet. @returns the account */
export async function connectInstalled(tab: Tab): Promise<string> {
  await press(tab, on('connect-button'))
  await press(tab, `${on('wallet-row')}[data-wallet="Quill"]`)
  await press(tab, on('confirm-approve'))
  return connected(tab)
}

export async function disconnect(tab: Tab): Promise<void> {
  await press(tab, on('account-button'))
  await press(tab, on('disconnect'))
  await until(tab, 'no account', css => document.querySelector(css), on('connect-button'))
}

/** Holds the page and everything visible in it to the width of its window. */
export async function narrow(tab: Tab): Promise<void> {
  const wide = await tab.run(() => {
    const seen = [...document.querySelectorAll('body *')].filter(one => one.checkVisibility())
    const cut = seen.filter(one => one.getBoundingClientRect().right > innerWidth + 1)
    const page = document.documentElement.scrollWidth
    return page > innerWidth ? [`page ${page}`, ...cut.map(one => `${one.localName}.${one.className}`)] : []
  })
  expect(wide, 'wider than the window').toEqual([])
}

/** Connects by the code. @returns the account */
export async function connectByCode(tab: Tab, wallet: Page): Promise<string> {
  await pair(wallet, await copiedCode(tab))
  await approve(wallet, 'proposal')
  return connected(tab)
}

/** Connects by a wallet's own link, as on a phone, without leaving the page. @returns the account */
export async function connectByLink(tab: Tab, wallet: Page, name: string): Promise<string> {
  await tab.run(() => {
    const { matchMedia } = window
    window.matchMedia = query =>
      query.includes('coarse') ? ({ matches: true } as MediaQueryList) : matchMedia.call(window, query)
    const { open } = window
    window.open = (url, ...rest) => {
      const [, uri] = String(url).split('wc?uri=')
      if (uri === undefined) return open.call(window, url, ...rest)
      Object.assign(window, { copied: decodeURIComponent(uri) })
      return null
    }
  })
  await press(tab, on('connect-button'))
  await press(tab, on('all-wallets-row'))
  await until(tab, 'the search', css => document.querySelector(css), on('wallet-search'))
  await tab.type(`${on('wallet-search')}`, name)
  await press(tab, `${on('wallet-row')}[data-wallet="${name}"]`)
  await pair(
    wallet,
    (await until(tab, 'an opened link', () => (window as unknown as { copied?: string }).copied)) ?? '',
  )
  await approve(wallet, 'proposal')
  return connected(tab)
}

/** Saves a recording and re-executes it here. @returns its text */
export async function savedRecording(tab: Tab): Promise<string> {
  const text = await recordingText(tab)
  const { records } = await readRecordingFile(new Blob([text]))
  const verdict = reexecute(records, deciders)
  expect(verdict.ok ? '' : differenceReport(verdict.difference), 're-execution').toBe('')
  return text
}

/** @returns facts of a recording whose type matches, each with its reason */
export async function factsIn(recording: string, wanted: RegExp): Promise<string[]> {
  const { records } = await readRecordingFile(new Blob([recording]))
  return records.flatMap(({ record }) => {
    if (record.k !== 'f' || !wanted.test(record.type)) return []
    return `${record.type} ${String(record.data.why ?? '')}`.trim()
  })
}

/** Opens a recording in the replayer and waits for its verdict. */
export async function replay(tab: Tab, siteUrl: string, recording: string): Promise<void> {
  await tab.open(`${siteUrl}replayer.html`)
  await until(tab, 'the replayer', () => document.querySelector('input[type=file]') !== null)
  await tab.run(text => {
    const input = document.querySelector('input[type=file]') as HTMLInputElement
    const files = new DataTransfer()
    files.items.add(new File([text], 'visitor.replay.jsonl'))
    input.files = files.files
    input.dispatchEvent(new Event('change', { bubbles: true }))
  }, recording)
  await textOf(tab, 'body', 'inputs re-run, every byte equal')
}
