/** Counts of the inputs, facts and effects that seeds reached, and of the faults that struck. */
import { allInputDefinitions, factDefinitions } from '../../src/events/schema/definitions.ts'
import type { InputRecord } from '../../src/runtime/log/record.ts'
import { faults } from './faults.ts'

export type Counts = Record<string, number>
export type Reached = { inputs: Counts; facts: Counts; effects: Counts; payloads: Counts; faults: Counts }

export type Coverage = {
  input(input: InputRecord): void
  fact(type: string): void
  effect(type: string): void
  /** @param drawn all draws of the seed */
  drew(drawn: readonly string[]): void
  reached: Reached
}

export const nothingReached = (): Reached => ({ inputs: {}, facts: {}, effects: {}, payloads: {}, faults: {} })

export function createCoverage(): Coverage {
  const reached = nothingReached()
  const add = (counts: Counts, name: string) => {
    counts[name] = (counts[name] ?? 0) + 1
  }
  return {
    reached,
    input({ type, data }) {
      add(reached.inputs, type)
      if (type === 'relay.message') add(reached.payloads, (data as { payload: { kind: string } }).payload.kind)
    },
    fact: type => add(reached.facts, type),
    effect: type => add(reached.effects, type),
    drew(drawn) {
      for (const draw of drawn) {
        const name = draw.slice(0, draw.lastIndexOf('#'))
        if (name in faults) add(reached.faults, name)
      }
    },
  }
}

/** Adds the coverage of a seed. */
export function addReached(sum: Reached, more: Reached): void {
  for (const part of ['inputs', 'facts', 'effects', 'payloads', 'faults'] as const)
    for (const [name, count] of Object.entries(more[part])) sum[part][name] = (sum[part][name] ?? 0) + count
}

/** Types a simulated world cannot reach, with the reason. */
export const unreachable: Readonly<Record<string, string>> = {
  'core.partCame': 'earlier builds took it, whose core could begin without a part',
  'core.partMissing': 'earlier builds took it, whose core could begin without a part',
}

/** @returns reachable types of inputs and facts that no seed reached */
export function missing({ inputs, facts }: Reached): string[] {
  const all = [
    ...Object.keys(allInputDefinitions).map(type => [type, inputs[type]] as const),
    ...Object.keys(factDefinitions).map(type => [type, facts[type]] as const),
  ]
  return all.filter(([type, count]) => count === undefined && !(type in unreachable)).map(([type]) => type)
}

/** @returns faults that never struck: not rolled any more, or too rarely */
export function unstruck({ faults: struck }: Reached): string[] {
  return Object.keys(faults).filter(fault => struck[fault] === undefined)
}
