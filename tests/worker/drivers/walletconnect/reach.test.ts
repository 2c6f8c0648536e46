import { describe, expect, test } from 'vitest'
import { createReach } from '../../../../src/worker/drivers/walletconnect/reach.ts'

const name = 'wss://relay.example'
const url = `${name}/?auth=token`

/** A network with one set answer for each kind of request; records the requests. */
function network(answers: { cors?: number; noCors?: boolean }) {
  const asked: string[] = []
  const load = async (target: unknown, options?: RequestInit) => {
    asked.push(`${options?.mode ?? 'cors'} ${String(target)}`)
    if (options?.mode === 'no-cors') {
      if (answers.noCors) return new Response()
      throw new TypeError('Failed to fetch')
    }
    if (answers.cors === undefined) throw new TypeError('Failed to fetch')
    return { status: answers.cors } as Response
  }
  return { asked, load: load as typeof fetch }
}

describe('reachability of a relay', () => {
  test.each([
    ['with a status that may be read, by that', { cors: 401 }, { status: 401 }],
    ['without one that may be read, it answers', { noCors: true }, 'answers'],
    ['by a redirect that is not followed, it answers', { cors: 0 }, 'answers'],
    ['not at all, it is silent', {}, 'silent'],
  ] as const)('%s', async (_how, answers, reach) => {
    const { load, asked } = network(answers)
    expect(await createReach({ now: () => 0, load })(name, url)).toEqual(reach)
    expect(asked[0]).toBe('cors https://relay.example/?auth=token')
  })

  test('is checked again after a minute, or after a clock set back, for each address on its own', async () => {
    const { load, asked } = network({ cors: 403 })
    let at = 1_000_000
    const reach = createReach({ now: () => at, load })
    await reach(name, url)
    at += 59_999
    await reach(name, `${url}2`)
    expect(asked).toHaveLength(1)
    await reach('wss://other.example', 'wss://other.example/')
    expect(asked).toHaveLength(2)
    at += 1
    await reach(name, url)
    expect(asked).toHaveLength(3)
    at -= 500_000
    await reach(name, url)
    expect(asked).toHaveLength(4)
  })
})
