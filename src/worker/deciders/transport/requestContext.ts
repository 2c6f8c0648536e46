import type { Ctx } from '../../core/context.ts'
import type { Transient } from '../../core/transient.ts'

/** The part of a decider's context that requests need: they are decided without a core, too, where there is none. */
export type RequestContext = Pick<Ctx, 'at' | 'random' | 'effect' | 'cause'> & {
  readonly transient: Pick<Transient, 'rpc' | 'http'>
}
