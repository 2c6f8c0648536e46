/** A visit that makes every call of the Blockchain API, and reads the project's configuration. */
import type { ServiceAnswer, ServiceCall } from '../../src/events/subjects/service/service.ts'
import { asks, examples } from './services/blockchain/examples.ts'
import { genesisHash } from './story.ts'
import { createWorld, failing, type World } from './world.ts'

const served = ['eip155:1', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', `solana:${genesisHash.slice(0, 32)}`]

export function servicesCalled(): World {
  const world = createWorld({ features: { email: true, socials: ['x'] }, featureRule: 'service' })
  world.boot()
  world.attach()
  world.answer('chain.identify', 'chain.identified', { genesisHash, caip2: `solana:${genesisHash.slice(0, 32)}` })
  world.command('project.open', {})
  const listed = [
    { id: 'social_login', isEnabled: true, config: ['email', 'x'] },
    { id: 'swap', isEnabled: true },
  ]
  world.answer('project.read', 'project.read', { features: listed, dropped: 0 })
  const problem = { code: 'APKT002', title: 'Invalid App Configuration' } as const
  world.answer('project.readOrigins', 'project.origins', { problem })
  for (const name of Object.keys(asks) as ServiceCall[]) {
    world.command('service.ask', { ask: asks[name] })
    if (name === 'identity') world.fail('service.call', 'timeout')
    else world.answer('service.call', 'service.answered', { answer: answerOf(name) })
    world.wait(900)
    world.command('service.ask', { ask: asks[name] })
    if (world.ordered('service.call').some(({ answered }) => !answered))
      world.answer('service.call', 'service.refused', {
        ...failing('bad_input'),
        reasons: [`no ${name} for an account`],
      })
  }
  // Two quotes that differ in their amount alone, and a set of tokens in another order
  for (const amount of ['41', '42', '41']) world.command('service.ask', { ask: { ...asks.quotes, amount } })
  world.command('service.ask', { ask: { call: 'price', addresses: ['b', 'a'] } })
  world.command('service.ask', { ask: { call: 'price', addresses: ['a', 'b', 'a'] } })
  world.command('service.ask', { ask: { ...asks.balance, chainId: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1' } })
  world.kill('lost')
  world.command('service.ask', { ask: asks.balance })
  world.kill('start')
  return world
}

function answerOf(call: ServiceCall): ServiceAnswer {
  const bare = examples[call].read(examples[call].body) as object
  const answer = { call, ...bare } as ServiceAnswer
  return answer.call === 'supportedChains' ? { ...answer, http: served } : answer
}
