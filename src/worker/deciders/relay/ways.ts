/** What the relay at hand can do: remembered by its address, decided by what it answers, forgotten when it proves wrong. */
import { own } from '../../../events/schema/own.ts'
import type { RelayMethod } from '../../../events/subjects/relay.ts'
import type { Ctx } from '../../core/context.ts'

/** @returns whether the relay of the present socket is known not to have a method */
export function lacks({ model, transient }: Ctx, method: RelayMethod): boolean {
  return own(model.relays.lacks, transient.wire.url)?.includes(method) ?? false
}

/** Remembers whether the relay of the present socket has a method. */
export function learn(ctx: Ctx, method: RelayMethod, known: boolean): void {
  if (lacks(ctx, method) === known) ctx.fact('relay.learned', { url: ctx.transient.wire.url, method, known })
}

/** The code by which a relay says that it can never take a call as it stands. */
export const invalidParams = -32_602

/** Codes by which a relay says that it cannot make sense of a call: parse error, invalid request, method not found. */
const senseless: ReadonlySet<number> = new Set([-32_700, -32_600, -32_601])

/** @returns whether an error says that the method is unknown there, by its code or, where that says nothing, by its words */
export function isUnknownMethod({ code, message }: { code: number; message: string }): boolean {
  return senseless.has(code) || (code !== invalidParams && /method|unknown|unsupported/i.test(message))
}

/** @returns how a proposal is carried there: in one call, or by subscribing and publishing as any message */
export function proposalWay(ctx: Ctx): 'propose' | 'publish' {
  return lacks(ctx, 'wc_proposeSession') && !lacks(ctx, 'irn_publish') ? 'publish' : 'propose'
}
