import { describe, expect, test } from 'vitest'
import { createHost, evm } from './host.ts'

async function connected() {
  const host = createHost()
  return { host, topic: await host.connect({ eip155: { ...evm().eip155, events: ['chainChanged'] } }) }
}

describe('a call to a session’s wallet', () => {
  test('ends with its session', async () => {
    const { host, topic } = await connected()
    const pinged = host.provider.ping()
    await host.settle()
    host.came(host.world.command('session.disconnect', { sessionTopic: topic }))
    await expect(pinged).rejects.toMatchObject({ code: 2 })
  })

  test('fails in the official words when the wallet stays silent', async () => {
    const { host } = await connected()
    const extended = host.provider.extend()
    await host.settle()
    const [id] = Object.keys(Object.values(host.world.model.session)[0]?.calls ?? {})
    host.came(host.world.fire(`call:${id}`))
    await expect(extended).rejects.toMatchObject({ code: -32_603, message: expect.stringContaining('extend request') })
  })

  test('goes on after missed facts while the core has it, and is told as unheard once it is gone', async () => {
    const { host, topic } = await connected()
    const ends: unknown[] = []
    host.provider.ping().catch((cause: Error) => ends.push(cause.message))
    await host.settle()
    host.came({ facts: [] })
    await host.settle()
    expect(ends).toEqual([])
    const [id] = Object.keys(host.world.model.session[topic]?.calls ?? {})
    host.world.fire(`call:${id}`)
    host.came({ facts: [] })
    await host.settle()
    expect(ends).toEqual(['it is unknown whether the wallet answered: the core was lost meanwhile'])
  })

  test('whose beginning was missed is told as unheard', async () => {
    const { host } = await connected()
    host.hold([])
    const pinged = host.provider.ping()
    pinged.catch(() => undefined)
    await host.settle()
    host.came({ facts: [] })
    await expect(pinged).rejects.toMatchObject({ code: -32_603 })
  })

  test('is not made without a session, by a lost core, or with data that is no JSON', async () => {
    await expect(createHost().provider.ping()).rejects.toMatchObject({ code: 4900 })
    const { host } = await connected()
    for (const data of [() => 1, 1n])
      await expect(host.provider.emitEvent({ name: 'chainChanged', data })).rejects.toMatchObject({ code: 5 })
    host.lose()
    await expect(host.provider.ping()).rejects.toMatchObject({ code: 1 })
  })
})
