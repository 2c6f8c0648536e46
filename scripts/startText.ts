/** Text of `npm start`. */
import type { Stack } from '../tests/stack/start.ts'
import { addressNames } from './addresses.ts'
import { aboutText, type Durations, estimate } from './durations.ts'

/** Names of the stack's installed wallets, one for each of the two ways to sign a purchase. */
export const installedWallets = { signing: 'Quill', sending: 'Heron' } as const

/** Emphasises in a terminal that shows it. */
export type Emphasis = (text: string) => string

/** @returns bold text for a terminal; as it is for a pipe, with `NO_COLOR` or `TERM=dumb` */
export function emphasisFor(isTTY: boolean, env: Readonly<Record<string, string | undefined>>): Emphasis {
  return isTTY && !env.NO_COLOR && env.TERM !== 'dumb' ? text => `\u001b[1m${text}\u001b[22m` : text => text
}

export const startDemoText = 'Starting the local stack and filling its sale: some 10 s, unless it is stored …'

/** The steps of one start. */
type Steps = {
  begins(name: string): void
  /** The last step has ended. @returns the durations, by step */
  ended(): Durations
}

/**
 * Prints a line for each step that begins: `  2 of 5  relay, about 4 s left`.
 *
 * @param before durations of the last start; unless they name each step, the first line says that there is no estimate
 */
export function createSteps(
  names: readonly string[],
  before: Durations,
  { print = (line: string) => console.log(line), now = Date.now } = {},
): Steps {
  const durations: Durations = {}
  let current: { name: string; since: number } | undefined
  const end = () => {
    if (current) durations[current.name] = (now() - current.since) / 1000
  }
  const leftFrom = (at: number) => {
    const rest = names.slice(at).map(name => ({ name, lane: 1 }))
    return estimate(rest, before)
  }
  return {
    begins(name) {
      end()
      const at = names.indexOf(name)
      const left = leftFrom(at)
      if (!current && left === undefined) print(noEstimateText)
      current = { name, since: now() }
      print(`  ${at + 1} of ${names.length}  ${name}${left === undefined ? '' : `, ${aboutText(left)} left`}`)
    },
    ended() {
      end()
      return durations
    },
  }
}

const noEstimateText = 'The first start has no estimate; the next one tells the time left.'

export function pageText(url: string, strong: Emphasis): string {
  return `
  page          ${strong(url)}
  replayer      ${strong(`${url}replayer.html`)}`
}

export function stackText({ solana, relay, services, verify, wallet }: Stack, strong: Emphasis): string {
  return `
  wallet page   ${strong(wallet.url)}
  Solana RPC    ${solana.url}   sockets ${solana.wsUrl}
  terms         ${solana.info.termsUrl}
  relay         ${relay.url}   switches ${relay.httpUrl}/control
  services      ${services.url}
  verify        ${verify.url}`
}

/** @param option of the faucet's command; empty for the stack that keeps its chain */
export function nextText(option: string, strong: Emphasis): string {
  const { signing, sending } = installedWallets
  return `
What to do next
  1. Open the page, press “Connect wallet”, and take ${signing} or ${sending}, the installed wallets of this stack;
     or take WalletConnect, copy the link and paste it in the wallet page.
  2. Give the connected address money to spend (10 SOL and 500 USDC):
     ${strong(`npm run faucet -- ADDRESS${option}`)}
  3. Buy MAI, then download a problem report from the page's foot and open it in the replayer.`
}

/** Settings that point a build or another page at this stack. */
export function settingsText({ addresses }: Stack): string {
  return `\nSettings\n${addressNames.map(name => `  ${name}=${addresses[name]}`).join('\n')}`
}

export const endText = '\nThe chain is kept in .stack/; add -- --fresh to forget it. Ctrl-C ends everything.'
