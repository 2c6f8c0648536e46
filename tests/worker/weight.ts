/** What things weigh: so that what is to be held once is seen to be. */
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext, runInThisContext } from 'node:vm'

/** @returns bytes of this thread's heap that are in use once the rest is collected */
export function inUse(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  // What the first one frees may hold more
  for (let turn = 0; turn < 3; turn++) collect()
  return getHeapStatistics().used_heap_size
}

/** @returns whether two objects have one hidden class: else each holds one of its own, larger than itself */
export function haveOneShape(one: object, other: object): boolean {
  setFlagsFromString('--allow-natives-syntax')
  const haveSame = runInThisContext('(one, other) => %HaveSameMap(one, other)') as (
    one: object,
    other: object,
  ) => boolean
  return haveSame(one, other)
}
