/** The Blockchain API and the project's configuration in a simulated world. */
import type { EffectData, EffectType } from '../../src/events/effect.ts'
import type { ServiceAnswer, ServiceAsk, ServiceCall } from '../../src/events/subjects/service/service.ts'
import { asks, examples, mainnet } from '../worker/services/blockchain/examples.ts'
import type { Answered } from './chain.ts'
import type { Dice } from './dice.ts'

const names = Object.keys(asks) as ServiceCall[]

/** @returns a call as a page makes it; a few of all, so that equal ones meet */
export function someAsk(dice: Dice): ServiceAsk {
  return asks[dice.oneOf('call', dice.chance('any call', 0.3) ? names : (['identity', 'balance', 'price'] as const))]
}

/** @returns the answer of a service; undefined for effects that ask none */
export function servicesAnswer(dice: Dice, type: EffectType, data: never): Answered | undefined {
  if (type === 'service.call') return apiAnswer(dice, data)
  if (type === 'project.read') return projectAnswer(dice)
  if (type !== 'project.readOrigins') return undefined
  const problem = { code: 'APKT002', title: 'Invalid App Configuration' } as const
  return { type: 'project.origins', data: dice.strikes('services.refuse') ? { problem } : {} }
}

function apiAnswer(dice: Dice, { ask: { call } }: EffectData['service.call']): Answered {
  if (dice.strikes('services.refuse')) {
    const failure = { code: 'bad_input', message: 'HTTP status code: 400' } as const
    return { type: 'service.refused', data: { failure, reasons: ['no such account'] } }
  }
  if (dice.strikes('services.fail')) {
    const failure = { code: 'timeout', message: 'the Blockchain API did not answer' } as const
    return { type: 'effect.failed', data: { failure } }
  }
  const answer = { call, ...(examples[call].read(examples[call].body) as object) } as ServiceAnswer
  const served = ['eip155:1', mainnet]
  return {
    type: 'service.answered',
    data: { answer: answer.call === 'supportedChains' ? { ...answer, http: served } : answer },
  }
}

function projectAnswer(dice: Dice): Answered {
  if (dice.strikes('services.fail')) {
    const failure = { code: 'unreachable', message: 'HTTP status code: 503' } as const
    const problem = { code: 'APKT009', title: 'Server Error', detail: 'HTTP status code: 503' } as const
    return { type: 'project.failed', data: { failure, problem } }
  }
  const features = [{ id: 'social_login', isEnabled: true, config: ['email', 'x'] }]
  return { type: 'project.read', data: { features, dropped: 0 } }
}
