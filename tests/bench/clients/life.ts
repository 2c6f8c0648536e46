/** What a bench asks of a WalletConnect client that lives in a process of its own, whoever made it. */

/** A client as a page has it, with nothing of the page but the calls. */
export type Client = {
  /** @returns the code once a wallet can be shown it, and what waits for the session that comes of it */
  pair(): Promise<{ uri: string; settled: Promise<unknown> }>
  /** @returns how many sessions it has */
  sessions(): number
}

export type Order = { do: 'pair' | 'weigh' }
export type Told =
  | { told: 'ready' }
  | { told: 'uri'; uri: string }
  | { told: 'settled' }
  /** bytes of memory that are in use once the rest is collected */
  | { told: 'weight'; bytes: number; sessions: number }
  | { told: 'failed'; message: string }

/** Does what the parent process orders, one thing after the other. */
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
