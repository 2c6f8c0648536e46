/** Capabilities of the relay in use: recorded by its address, learned from its answers, corrected when wrong. */
import { own } from '../../../runtime/schema/own.ts'
import type { RelayMethod } from '../../../events/subjects/service/relay.ts'
import type { Ctx } from '../../core/context.ts'

/** @returns whether the relay in use is known to lack a method */
export function lacksMethod({ model, transient }: Ctx, method: RelayMethod): boolean {
  return own(model.relays.lacks, transient.wire.url)?.includes(method) ?? false
}

/** Records whether the relay in use has a method. */
export function learnMethod(ctx: Ctx, method: RelayMethod, known: boolean): void {
  if (lacksMethod(ctx, method) === known) ctx.fact('relay.learned', { url: ctx.transient.wire.url, method, known })
}

/** The code of a call the relay can never accept as it is. */
export const invalidParams = -32_602

/** Codes of a call the relay cannot interpret: parse error, invalid request, method not found. */
const senseless: ReadonlySet<number> = new Set([-32_700, -32_600, -32_601])

/** @returns whether an error means that the method is unknown, by its code or, failing that, by its words */
export function isUnknownMethod({ code, message }: { code: number; message: string }): boolean {
  return senseless.has(code) || (code !== invalidParams && /method|unknown|unsupported/i.test(message))
}

/** @returns how this relay carries a proposal: in one call, or by subscribing and publishing */
export function proposalWay(ctx: Ctx): 'propose' | 'publish' {
  return lacksMethod(ctx, 'wc_proposeSession') && !lacksMethod(ctx, 'irn_publish') ? 'publish' : 'propose'
}
