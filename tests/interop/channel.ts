/** What a device does with links that apps open: the way between our page and the official kit where no relay is. */
export type ChannelFault = 'none' | 'lost' | 'twice' | 'late' | 'out of order'
export const channelFaults: readonly ChannelFault[] = ['none', 'lost', 'twice', 'late', 'out of order']

type Listener = (event: { url: string }) => void

/** How long a link may take to its app, ms, and how long one waits to be overtaken. */
const lateMs = 1500
const overtakenMs = 400

export type Channel = {
  /** Our page opens the wallet. */
  toWallet(url: string): void
  /** From now on the next link is lost where links are: one on each way. */
  begin(): void
  /** the links that were opened, by whom and in order */
  opened: { by: 'page' | 'wallet'; url: string }[]
  close(): void
}

/**
 * Makes the official kit take part in link mode in Node, as it does where it finds `Linking`, which React Native gives it.
 *
 * @param toPage takes what the wallet opens this page with
 */
export function openChannel(fault: ChannelFault, toPage: (url: string) => void): Channel {
  const listeners = new Set<Listener>()
  const opened: Channel['opened'] = []
  const timers = new Set<NodeJS.Timeout>()
  const toLose = { page: false, wallet: false }
  const held: { page?: () => void; wallet?: () => void } = {}
  const later = (ms: number, run: () => void) => void timers.add(setTimeout(run, ms))

  function carry(by: 'page' | 'wallet', url: string, arrive: () => void): void {
    opened.push({ by, url })
    if (toLose[by]) {
      toLose[by] = false
      return
    }
    if (fault === 'late') return later(lateMs, arrive)
    if (fault === 'out of order') return overtake(by, arrive)
    arrive()
    // The kit takes a request for two that comes twice by a link, and then shows none any more
    if (fault === 'twice' && by === 'wallet') later(50, arrive)
  }

  /** The second of two comes first; one that nothing overtakes comes a little later. */
  function overtake(by: 'page' | 'wallet', arrive: () => void): void {
    const waiting = held[by]
    if (waiting) {
      delete held[by]
      arrive()
      return waiting()
    }
    held[by] = arrive
    later(overtakenMs, () => {
      if (held[by] !== arrive) return
      delete held[by]
      arrive()
    })
  }

  process.env.IS_VITEST = 'true'
  Object.assign(globalThis, {
    Linking: {
      addEventListener: (_type: string, listener: Listener) => void listeners.add(listener),
      getInitialURL: async () => null,
      openURL: async (url: string) => carry('wallet', url, () => toPage(url)),
    },
  })
  return {
    opened,
    begin() {
      if (fault === 'lost') Object.assign(toLose, { page: true, wallet: true })
    },
    toWallet: url => carry('page', url, () => listeners.forEach(listener => listener({ url }))),
    close() {
      for (const timer of timers) clearTimeout(timer)
      delete process.env.IS_VITEST
      Reflect.deleteProperty(globalThis, 'Linking')
    },
  }
}
