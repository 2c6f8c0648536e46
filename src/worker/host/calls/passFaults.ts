/** Faults keep their code when comlink carries them: by it the page tells a lost core from a refusal. */
import { type TransferHandler, transferHandlers } from 'comlink'
import { Fault } from '../../../runtime/failure.ts'
import { failureCodes } from '../../../events/failureCodes.ts'

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
    const code = failureCodes.find(known => known === carried.code)
    if (code !== undefined) throw new Fault(code, String(carried.value?.message))
    return plain.deserialize(carried)
  },
} satisfies TransferHandler<Thrown, Carried>)
