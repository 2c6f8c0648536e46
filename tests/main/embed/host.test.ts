import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Model } from '../../../src/events/app.ts'
import { emptyModel } from '../../../src/events/emptyModel.ts'
import type { Connection } from '../../../src/events/subjects/wallet/connection.ts'
import { callHandlers, hostAccount, watchAccount } from '../../../src/main/embed/host.ts'
import { modalState } from '../../../src/main/embed/hostState.ts'
import type { HostAccount } from '../../../src/main/embed/hostModal.ts'

const devnet = {
  online: true,
  phase: 'identified',
  genesisHash: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG',
  caip2: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
} as const
const wallet = { walletId: 'Quill', name: 'Quill' }

function live(...accounts: string[]): Connection {
  return { phase: 'live', connectionId: 'c1', connector: 'installed', wallet, accounts, features: [], madeAt: 1 }
}

/** A model with facts of a core. */
function attached(change: (model: Model) => void = () => {}): Model {
  const model = emptyModel()
  model.tab = { ...model.tab, phase: 'attached', life: 1 }
  model.network = devnet
  change(model)
  return model
}

function connected(...accounts: string[]): Model {
  return attached(model => {
    model.connection = { ...model.connection, active: 'c1', made: { c1: live(...accounts) } }
  })
}

function asking(): Model {
  return attached(model => {
    model.connection.attempt = { phase: 'asking', attemptId: 'a1', connector: 'installed', wallet, since: 1 }
  })
}

function inPhase(phase: 'restoring' | 'missing'): Model {
  return attached(model => {
    const kept = live('A')
    const failure = { code: 'wallet_gone', message: 'gone' } as const
    const made: Connection = phase === 'missing' ? { ...kept, phase, failure } : { ...kept, phase }
    model.connection = { ...model.connection, active: 'c1', made: { c1: made } }
  })
}

/** A store that shows one model after another, and the handlers' calls. */
function watched(first: Model) {
  let model = first
  const listeners = new Set<() => void>()
  const told: [string, string | undefined][] = []
  const emit = vi.fn((event: string, account: HostAccount) => void told.push([event, account.address]))
  const stop = watchAccount(
    {
      model: () => model,
      subscribe: listener => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    },
    emit,
  )
  return {
    told,
    emit,
    stop,
    show(...next: Model[]) {
      for (const one of next) {
        model = one
        for (const listener of listeners) listener()
      }
    },
  }
}

afterEach(() => void vi.unstubAllGlobals())

describe('the host’s account', () => {
  test('of a connected wallet has its address, its CAIP-10 id, all its accounts, and the wallet’s names for them', () => {
    const model = connected('A', 'B')
    for (const made of Object.values(model.connection.made)) made.labels = [{ account: 'B', label: 'Savings' }]
    expect(hostAccount(model)).toEqual({
      isConnected: true,
      address: 'A',
      caipAddress: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1:A',
      status: 'connected',
      allAccounts: [
        { address: 'A', caipAddress: `${devnet.caip2}:A`, namespace: 'solana', type: 'eoa' },
        { address: 'B', caipAddress: `${devnet.caip2}:B`, namespace: 'solana', type: 'eoa' },
      ],
      addressLabels: { B: 'Savings' },
      embeddedWalletInfo: undefined,
    })
  })

  test('has no CAIP-10 id before the network is identified', () => {
    const model = connected('A')
    model.network = { online: true, phase: 'unknown' }
    expect(hostAccount(model)).toMatchObject({ isConnected: true, address: 'A', caipAddress: undefined })
  })

  test.each([
    ['nobody is connected', attached(), 'disconnected'],
    ['a wallet is asked', asking(), 'connecting'],
    ['a connection is picked up again', inPhase('restoring'), 'connecting'],
    ['the wallet of the connection is not here', inPhase('missing'), 'disconnected'],
  ])('when %s has no address', (_, model, status) => {
    expect(hostAccount(model)).toEqual({
      isConnected: false,
      address: undefined,
      caipAddress: undefined,
      status,
      allAccounts: [],
      addressLabels: {},
      embeddedWalletInfo: undefined,
    })
  })
})

describe('host handlers', () => {
  test('are called only after the first facts of a core', () => {
    const { told, show } = watched(emptyModel())
    expect(told).toEqual([])
    show(attached())
    expect(told).toEqual([['disconnected', undefined]])
  })

  test('are called once for each change, not for each fact', () => {
    const { told, show } = watched(attached())
    show(asking(), asking(), connected('A'), connected('A'), attached(), attached())
    expect(told).toEqual([
      ['disconnected', undefined],
      ['connected', 'A'],
      ['disconnected', undefined],
    ])
  })

  test('hear `connected` for a changed account', () => {
    const { told, show } = watched(connected('A'))
    show(connected('B'))
    expect(told).toEqual([
      ['connected', 'A'],
      ['connected', 'B'],
    ])
  })

  test('hear no end of a connection that is restored', () => {
    const { told, show } = watched(inPhase('restoring'))
    show(connected('A'), inPhase('restoring'), connected('A'))
    expect(told).toEqual([['connected', 'A']])
  })

  test('hear nothing when a lost core comes back with the same connection', () => {
    const { told, show } = watched(connected('A'))
    const lost = attached()
    lost.tab = { ...lost.tab, phase: 'lost', reason: 'it froze' }
    show(lost, connected('A'))
    expect(told).toEqual([['connected', 'A']])
  })

  test('hear nothing of a declined attempt without a connection', () => {
    const { told, show } = watched(attached())
    show(asking(), attached())
    expect(told).toEqual([['disconnected', undefined]])
  })

  test('may throw: the error is reported, and the next change is delivered', () => {
    const reported: unknown[] = []
    vi.stubGlobal('reportError', (cause: unknown) => reported.push(cause))
    const { emit, show } = watched(emptyModel())
    emit.mockImplementation(() => {
      throw new Error('of the host')
    })
    show(connected('A'), attached())
    expect(emit).toHaveBeenCalledTimes(2)
    expect(reported).toEqual([new Error('of the host'), new Error('of the host')])
  })

  test('end when stopped', () => {
    const { told, show, stop } = watched(attached())
    stop()
    show(connected('A'))
    expect(told).toHaveLength(1)
  })
})

describe('the global handlers', () => {
  const account = hostAccount(connected('A'))

  test('hear their own event with the account', () => {
    const [onMaiConnected, onMaiDisconnected] = [vi.fn(), vi.fn()]
    const page = { onMaiConnected, onMaiDisconnected } as unknown as Window
    callHandlers(page, 'connected', account)
    expect([onMaiConnected.mock.calls, onMaiDisconnected.mock.calls]).toEqual([[[account]], []])
    callHandlers(page, 'disconnected', account)
    expect(onMaiDisconnected).toHaveBeenCalledTimes(1)
  })

  test('may be absent, no function, or throw', () => {
    vi.stubGlobal('reportError', () => {})
    const throwing = () => {
      throw new Error('of the host')
    }
    for (const onMaiConnected of [undefined, null, 'yes', throwing]) {
      expect(() => callHandlers({ onMaiConnected } as unknown as Window, 'connected', account)).not.toThrow()
    }
  })
})

describe('the state', () => {
  const own = { caip2: devnet.caip2, name: 'House net', rpcUrl: 'https://rpc.example' }

  test('names the network, the host’s own by its name, and says whether the wallet may use it', () => {
    const model = connected('A')
    const network = { caipNetworkId: devnet.caip2, test: true, supported: true }
    expect(modalState(model, {}).network).toEqual({ ...network, name: 'Solana Devnet' })
    expect(modalState(model, { networks: [own] }).network).toEqual({ ...network, name: 'House net' })
    const session = { namespaces: { solana: { accounts: ['solana:other:A'], methods: [], events: [] } } }
    Object.assign(model.session, { t1: session })
    model.connection.made = { c1: { ...live('A'), connector: 'walletConnect', sessionTopic: 't1' } }
    expect(modalState(model, {}).network).toMatchObject({ supported: false })
  })

  test('has the lamports of the account once they are read', () => {
    const model = connected('A')
    expect(modalState(model, {}).balance).toBeUndefined()
    Object.assign(model.balance, { A: { slot: 1, amounts: { SOL: '12481900000' } } })
    expect(modalState(model, {}).balance).toBe('12481900000')
    expect(modalState(attached(), {}).balance).toBeUndefined()
  })
})
