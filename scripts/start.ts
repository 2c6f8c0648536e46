/**
 * Starts the local stack and the page in development mode.
 *
 *   node --import tsx scripts/start.ts [--fresh] [--stack-only] [--demo [--ending ENDING]]
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installedWalletScript } from '../tests/stack/installed/bundle.ts'
import { chainFolder, defaultPorts, type Stack, stackParts, startStack, tokenNames } from '../tests/stack/start.ts'
import { addressesFrom, addressNames } from './addresses.ts'
import { startPage } from './devPage.ts'
import { keepDurations, readDurations } from './durations.ts'
import { stackNote } from './faucetCommand.ts'
import { readStartOptions, startUsage } from './startOptions.ts'
import {
  createSteps,
  emphasisFor,
  endText,
  installedWallets,
  nextText,
  pageText,
  settingsText,
  stackText,
  startDemoText,
} from './startText.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const cache = join(root, 'node_modules/.cache')

async function main(): Promise<void> {
  const asked = readStartOptions(process.argv.slice(2))
  if (asked === undefined) return console.log(startUsage)
  if (typeof asked === 'string') {
    console.error(`${asked}\n\n${startUsage}`)
    process.exitCode = 2
    return
  }
  const { fresh, stackOnly, fill } = asked
  console.log(fill ? startDemoText : 'Starting the local stack …')
  const stateDir = claim(join(root, '.stack'), fresh)
  const isStored = stateDir !== undefined && existsSync(join(stateDir, chainFolder(fill)))
  // A chain that is stored starts sooner than one that is made
  const timesOf = (how: 'made' | 'restored') => join(cache, `mai-start/${chainFolder(fill)}-${how}.json`)
  const times = timesOf(isStored ? 'restored' : 'made')
  const before = { ...readDurations(timesOf('made')), ...readDurations(times) }
  const { begins, ended } = createSteps([...stackParts, ...(stackOnly ? [] : ['page'])], before)
  const stack = await startStack({
    ports: defaultPorts,
    clock: 'real',
    seed: 'local',
    ...(stateDir ? { stateDir } : {}),
    ...(fill ? { fill } : {}),
    cacheDir: join(cache, 'wallet-page'),
    onPart: begins,
  })
  let end = stack.close
  onInterrupt(() => end())
  for (const sentence of stack.moved) console.log(sentence)
  const addresses = addressesFrom(root, 'development', stack.addresses)
  if (stateDir) noteRpc(stateDir, stack.solana.url)
  const strong = emphasisFor(process.stdout.isTTY, process.env)
  if (stackOnly) {
    keepDurations(times, ended())
    return console.log(`${stackText(stack, strong)}\n${settingsText(stack)}\n${endText}`)
  }

  begins('page')
  const page = await startPage(addresses, await walletScript(stack))
  keepDurations(times, ended())
  end = async () => {
    await page.close()
    await stack.close()
  }
  console.log(pageText(page.url, strong))
  const option = stateDir ? '' : ` --url ${stack.solana.url}`
  console.log(`${stackText(stack, strong)}\n${nextText(option, strong)}\n${endText}`)
  const elsewhere = addressNames.filter(name => addresses[name] !== stack.addresses[name])
  for (const name of elsewhere) console.log(`  ${name} is set: the page uses ${addresses[name]}`)
}

/** Leaves the chain's address for `npm run faucet` while this stack runs. */
function noteRpc(folder: string, url: string): void {
  const file = join(folder, stackNote)
  writeFileSync(file, `${url}\n`)
  process.once('exit', () => rmSync(file, { force: true }))
}

/**
 * Claims the folder that persists the chain between starts.
 *
 * @param fresh discard its content
 * @returns undefined when another running start holds it: two chains must not write one history
 */
function claim(folder: string, fresh: boolean): string | undefined {
  const note = join(folder, 'running')
  const owner = existsSync(note) ? Number(readFileSync(note, 'utf8')) : 0
  if (owner > 0 && isRunning(owner)) {
    console.log(
      `Another stack is running (process ${owner}) and keeps its chain in .stack/; this one begins anew and keeps nothing.`,
    )
    return undefined
  }
  if (fresh) rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(note, String(process.pid))
  process.once('exit', () => rmSync(note, { force: true }))
  return folder
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (problem) {
    return (problem as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The installed wallets: one for each of the two ways to sign a purchase. */
function walletScript({ solana }: Stack): Promise<string> {
  const wallets: Parameters<typeof installedWalletScript>[0]['wallets'] = [
    { name: installedWallets.signing },
    { name: installedWallets.sending, features: 'sendOnly' },
  ]
  return installedWalletScript({ rpcUrl: solana.url, wallets, tokens: tokenNames(solana) })
}

function onInterrupt(end: () => Promise<void>): void {
  let ending = false
  const stop = () => {
    if (ending) process.exit(130)
    ending = true
    console.log('\nEnding the local stack …')
    // A socket that does not close must not block the exit.
    setTimeout(() => process.exit(0), 5_000).unref()
    end().then(
      () => process.exit(0),
      (problem: unknown) => {
        console.error(problem)
        process.exit(1)
      },
    )
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
}

main().catch((problem: unknown) => {
  console.error(problem instanceof Error ? problem.message : problem)
  process.exit(1)
})
