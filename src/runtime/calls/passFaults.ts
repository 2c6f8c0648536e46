import { type TransferHandler, transferHandlers } from 'comlink'
import { Fault, type FailureCode } from '../failure.ts'

type Thrown = { value: unknown }
type Carried = { code?: unknown; value?: { message?: unknown } }

/**
 * Faults keep their code when comlink carries them from or to this thread: by it a page tells a lost core from a refusal.
 *
 * @param codes that a fault may have; one with another code arrives as a plain error
 */
export function passFaults(codes: readonly FailureCode[]): void {
  const plain = transferHandlers.get('throw') as TransferHandler<Thrown, Carried>
  transferHandlers.set('throw', {
    ...plain,
    serialize(thrown: Thrown) {
      const [carried, ports] = plain.serialize(thrown)
      return [thrown.value instanceof Fault ? { ...carried, code: thrown.value.code } : carried, ports]
    },
    deserialize(carried: Carried) {
      const code = codes.find(known => known === carried.code)
      if (code !== undefined) throw new Fault(code, String(carried.value?.message))
      return plain.deserialize(carried)
    },
  } satisfies TransferHandler<Thrown, Carried>)
}
