/** A device's delivery of links between apps: the channel between our page and the official kit without a relay. */
export type ChannelFault = 'none' | 'lost' | 'twice' | 'late' | 'out of order'
export const channelFaults: readonly ChannelFault[] = ['none', 'lost', 'twice', 'late', 'out of order']

type Listener = (event: { url: string }) => void

/** Longest delay of a link to its app, and time one waits to be overtaken, ms. */
const lateMs = 1500
const overtakenMs = 400

export type Channel = {
  /** Opens the wallet from our page. */
  toWallet(url: string): void
  /** With links lost, arms the loss of the next link, one per direction. */
  begin(): void
  /** opened links, with their sender, in order */
  opened: { by: 'page' | 'wallet'; url: string }[]
  close(): void
}

/**
 * Makes the official kit use link mode in Node, as it does where React Native provides `Linking`.
 *
 * @param toPage receives the links with which the wallet opens this page
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
    // The kit treats a repeated link as a second request, and then shows none any more
    if (fault === 'twice' && by === 'wallet') later(50, arrive)
  }

  /** Swaps two links; one without a follower arrives a little later. */
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
