/** Whether what happens here lasts: once the log cannot be written, nothing that costs money may begin. */
import type { Decider } from '../context.ts'

export const storage: Decider = {
  'core.storageFailed': (ctx, { message }) => {
    if (ctx.model.core.storage === 'durable') ctx.fact('core.storageLost', { message })
  },
}
