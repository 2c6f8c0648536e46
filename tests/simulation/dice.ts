/** Dice of this product's world. */
import { type Fault, faults } from './faults.ts'
import { type Dice as DiceOf, rollDice } from './runtime/dice.ts'

export type Dice = DiceOf<Fault>

/** @param without draws of an earlier run of this seed to leave out */
export const createDice = (seed: number, without?: ReadonlySet<string>): Dice => rollDice(faults, seed, without)
