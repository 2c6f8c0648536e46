/** Follows the accounts of connected wallets. Only the newest change matters, so one delivery at a time is in flight. */
import type { ConnectedWallet } from '../../../events/effect.ts'
import type { PageEffect } from '../../../events/wire.ts'
import { accountsIn, labelsOf, type WalletAccount } from './announced.ts'
import type { KnownWallets } from './announcements.ts'
import type { Deliver } from '../answers.ts'

type Watch = {
  effectId: string
  connectionId: string
  of: Held
  /** the accounts the core knows, in one text; at first only the watched account */
  told: string
  /** a change that is not delivered yet */
  waiting?: readonly WalletAccount[]
  onTheWay: boolean
  wallet?: KnownWallets
  off?: unknown
}

/** A wallet as a connection knows it, with the account that counts. */
type Held = ConnectedWallet & { account: string }

type Following = {
  /** Starts to follow, or goes on under the newer effect when this connection is followed already. */
  watch(effect: Extract<PageEffect, { type: 'wallet.watch' }>): void
  /** Ids of the connections to this wallet. */
  to(wallet: ConnectedWallet): string[]
  stop(connectionIds: readonly string[]): void
  /** Follows the wallets that can be found now. */
  changed(): void
  went(wallet: KnownWallets): void
  setDeliver(deliver: Deliver): void
  redeliver(): void
}

type Ports = {
  /** The connection's wallet, when it is here and unambiguous. */
  find(wallet: Held): KnownWallets | undefined
  /** Makes a wallet list its accounts without a prompt; resolves with them. */
  wake(wallet: KnownWallets): Promise<readonly WalletAccount[]>
}

/**
 * Makes an empty set of watches, one for each connection. One function, because wallets' events and the core's effects change
 * the same watches.
 */
export function createFollowing({ find, wake }: Ports): Following {
  const watches = new Map<string, Watch>()
  let deliver: Deliver | undefined

  function tell(watch: Watch, accounts: readonly WalletAccount[]): void {
    const text = textOf(accounts)
    if (text === watch.told) return
    watch.told = text
    watch.waiting = accounts
    send(watch)
  }

  function send(watch: Watch): void {
    const { waiting: accounts, connectionId } = watch
    if (!accounts || !deliver || watch.onTheWay || watches.get(connectionId) !== watch) return
    watch.onTheWay = true
    delete watch.waiting
    deliver(watch.effectId, {
      type: 'wallet.changed',
      connectionId,
      accounts: addresses(accounts),
      ...labelsOf(accounts),
    }).then(
      () => {
        watch.onTheWay = false
        send(watch)
      },
      () => {
        watch.onTheWay = false
        watch.waiting ??= accounts
      },
    )
  }

  /** Follows the wallet that the connection has now, and no other. */
  function look(watch: Watch): void {
    const wallet = find(watch.of)
    if (wallet === watch.wallet) return
    leave(watch)
    if (wallet) follow(watch, wallet)
  }

  function follow(watch: Watch, wallet: KnownWallets): void {
    watch.wallet = wallet
    const current = () => watches.get(watch.connectionId) === watch && watch.wallet === wallet
    try {
      watch.off = wallet.call.on('change', (change: unknown) => {
        if (!current() || !hasAccounts(change)) return
        const accounts = accountsIn(change)
        if (accounts) tell(watch, accounts)
      })
    } catch {
      // A wallet that cannot be followed still signs; signing looks at its accounts
    }
    const listed = wallet.accounts() ?? []
    if (listed.length > 0) compare(watch, listed)
    else
      wake(wallet).then(
        accounts => {
          if (current() && accounts.length > 0) compare(watch, accounts)
        },
        () => {
          // The wallet does not open without a prompt; signing will report it
        },
      )
  }

  /** Only the first account counts: the core learned the others when it connected. */
  function compare(watch: Watch, accounts: readonly WalletAccount[]): void {
    if (accounts[0]?.address === watch.told) watch.told = textOf(accounts)
    else tell(watch, accounts)
  }

  function leave(watch: Watch): void {
    const { off } = watch
    delete watch.off
    delete watch.wallet
    try {
      if (typeof off === 'function') off()
    } catch {
      // The wallet is gone already
    }
  }

  return {
    watch({ id, data }) {
      const { connectionId, account } = data
      const known = watches.get(connectionId)
      if (known) {
        known.effectId = id
        known.of = data
        look(known)
        send(known)
        return
      }
      const watch: Watch = { effectId: id, connectionId, of: data, told: account, onTheWay: false }
      watches.set(connectionId, watch)
      look(watch)
    },
    to: ({ name, identity }) =>
      [...watches.values()]
        .filter(({ of }) => of.name === name && of.identity === identity)
        .map(({ connectionId }) => connectionId),
    stop(connectionIds) {
      for (const connectionId of connectionIds) {
        const watch = watches.get(connectionId)
        if (!watch) continue
        watches.delete(connectionId)
        leave(watch)
      }
    },
    changed() {
      for (const watch of watches.values()) look(watch)
    },
    went(wallet) {
      for (const watch of watches.values()) if (watch.wallet === wallet) leave(watch)
    },
    setDeliver(next) {
      deliver = next
    },
    redeliver() {
      for (const watch of watches.values()) send(watch)
    },
  }
}

function hasAccounts(change: unknown): boolean {
  try {
    return (change as { accounts?: unknown } | null)?.accounts !== undefined
  } catch {
    return false
  }
}

/** Differs when an account or its label does. */
function textOf(accounts: readonly WalletAccount[]): string {
  return JSON.stringify(accounts.map(({ address, label }) => [address, label]))
}

function addresses(accounts: readonly WalletAccount[]): string[] {
  return accounts.map(account => account.address)
}
