/** Faults in the runtime around the deciders: mistakes that a reviewer finds in real code, each of a line or two. */
import { hostMutants } from './hostMutants.ts'
import { transportMutants } from './transportMutants.ts'
import { journalMutants } from './journalMutants.ts'
import type { Mutant } from './mutant.ts'
import { pageMutants } from './pageMutants.ts'
import { tabMutants } from './tabMutants.ts'

export const runtimeMutants: readonly Mutant[] = [
  ...journalMutants,
  ...hostMutants,
  ...transportMutants,
  ...tabMutants,
  ...pageMutants,
]
