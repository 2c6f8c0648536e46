/** Interface of a WalletConnect client, ours or the official one, that runs in its own process for the bench. */

/** A client as used by a page, reduced to its calls. */
export type Client = {
  /** @returns the code once it can be shown to a wallet, and a promise of its session */
  pair(): Promise<{ uri: string; settled: Promise<unknown> }>
  /** @returns the number of its sessions */
  sessions(): number
}

export type Order = { do: 'pair' | 'weigh' }
export type Told =
  | { told: 'ready' }
  | { told: 'uri'; uri: string }
  | { told: 'settled' }
  /** bytes of memory in use after garbage collection */
  | { told: 'weight'; bytes: number; sessions: number }
  | { told: 'failed'; message: string }

/** Carries out the parent process's orders in sequence. */
export function liveAs(client: Client): void {
  const tell = (told: Told) => process.send?.(told)
  async function obey(order: Order): Promise<void> {
    if (order.do === 'pair') {
      const { uri, settled } = await client.pair()
      tell({ told: 'uri', uri })
      await settled
      tell({ told: 'settled' })
    } else tell({ told: 'weight', bytes: await inUse(), sessions: client.sessions() })
  }
  process.on('message', order => {
    obey(order as Order).catch((cause: unknown) =>
      tell({ told: 'failed', message: cause instanceof Error ? cause.message : String(cause) }),
    )
  })
  process.on('disconnect', () => process.exit(0))
  tell({ told: 'ready' })
}

async function inUse(): Promise<number> {
  const collect = globalThis.gc
  if (!collect) throw new Error('weighing expected node to run with --expose-gc')
  for (let turn = 0; turn < 5; turn++) {
    await new Promise(resolve => setTimeout(resolve, 100))
    collect()
  }
  return process.memoryUsage().heapUsed
}
