import { describe, expect, test, vi } from 'vitest'
import type { CoreSideFact } from '../../../src/events/app.ts'
import { switchNetwork } from '../../../src/main/embed/switchNetwork.ts'
import { stage } from '../../ui/modalStage.ts'

const home = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const devnet = 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'
const offered = (active: string): CoreSideFact => ({
  type: 'network.offered',
  data: { home, active, networks: [home, devnet] },
})
const refused: CoreSideFact = {
  type: 'network.refused',
  data: { caip2: devnet, failure: { code: 'busy', message: 'an order is open' } },
}

function page(...facts: CoreSideFact[]) {
  const on = stage()
  on.facts(...facts)
  return { on, to: (caip2: string) => switchNetwork(on.surroundings, caip2) }
}

describe('a host’s switch of the network', () => {
  test('resolves once the network is active, by a former id too', async () => {
    const { on, to } = page(offered(home))
    const switched = to('solana:8E9rvCKLFQia2Y35HXjjpWzj8weVo44K')
    expect(on.commands.at(-1)).toMatchObject({ type: 'network.switch' })
    on.facts({ type: 'network.switched', data: { caip2: devnet } }, offered(devnet))
    await expect(switched).resolves.toBeUndefined()
  })

  test('to the active network asks for nothing', async () => {
    const { on, to } = page(offered(home))
    await to(home)
    expect(on.commands).toEqual([])
  })

  test('is refused with the core’s reason, and an older refusal is none', async () => {
    const { on, to } = page(offered(home), refused)
    const switched = to(devnet)
    on.facts({ type: 'network.offline', data: {} })
    on.facts({ type: 'network.switched', data: { caip2: devnet } })
    on.facts(refused)
    await expect(switched).rejects.toMatchObject({ code: 'busy', message: 'an order is open' })
  })

  test('to a network that is none of the choice is refused, and the console says so with its code', async () => {
    const told = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const { on, to } = page(offered(home))
    const switched = to('solana:unheard')
    const failure = { code: 'bad_input', message: 'Network not found' } as const
    on.facts({ type: 'network.refused', data: { caip2: 'solana:unheard', failure } })
    await expect(switched).rejects.toMatchObject(failure)
    expect(told.mock.calls).toEqual([[expect.stringMatching(/^APKT001: Network not found\. .*got solana:unheard$/)]])
    told.mockRestore()
  })

  test('without a choice is refused in a sentence', async () => {
    await expect(page().to(devnet)).rejects.toMatchObject({ code: 'unsupported' })
  })
})
