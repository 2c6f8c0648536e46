/** Faults keep their code when comlink carries them: by it the page tells a lost core from a refusal. */
import { type TransferHandler, transferHandlers } from 'comlink'
import { Fault, type FailureCode } from '../../../runtime/failure.ts'

type Thrown = { value: unknown }
type Carried = { code?: unknown; value?: { message?: unknown } }

const plain = transferHandlers.get('throw') as TransferHandler<Thrown, Carried>
transferHandlers.set('throw', {
  ...plain,
  serialize(thrown: Thrown) {
    const [carried, ports] = plain.serialize(thrown)
    return [thrown.value instanceof Fault ? { ...carried, code: thrown.value.code } : carried, ports]
  },
  deserialize(carried: Carried) {
    if (!isCode(carried.code)) return plain.deserialize(carried)
    throw new Fault(carried.code, String(carried.value?.message))
  },
} satisfies TransferHandler<Thrown, Carried>)

/** The other side is of this build and writes codes only; their list would be dead weight in the page's start. */
function isCode(value: unknown): value is FailureCode {
  return typeof value === 'string'
}
