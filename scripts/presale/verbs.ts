/** The verbs of a sale, and the end of each run: its exit code, or the sentence of its failure. */
import { toFailure } from '../../src/runtime/failure.ts'
import { printable } from '../../src/runtime/replay/describe.ts'
import type { VerbArguments } from '../../src/main/replay/verb.ts'
import { check } from './check.ts'
import { ledger } from './ledger.ts'
import { checkpoint } from './operator/checkpoint.ts'
import { init } from './operator/init.ts'
import { publish } from './operator/publish.ts'
import { result } from './operator/result.ts'
import { status } from './operator/status.ts'
import { close, pause, resume } from './operator/switches.ts'
import { exportVerb } from './payouts/export.ts'
import { distribute, refund } from './payouts/pay.ts'
import { plan } from './payouts/plan.ts'
import { prove } from './prove.ts'
import type { PresaleExit, PresaleIo, PresaleVerb } from './verb.ts'

export type Verbs = { readonly [name: string]: PresaleVerb }

/** Verbs that read the sale alone, those that send transactions, and those that pay. */
export const [reading, sending, paying] = [
  { check, ledger, prove, status, export: exportVerb },
  { init, publish, pause, resume, close, checkpoint, result },
  { plan, distribute, refund },
] satisfies [Verbs, Verbs, Verbs]

/** Verbs whose runs can be recorded. */
export const saleVerbs: Verbs = { ...reading, ...sending, ...paying }

/** Runs a verb; a failure is told as one sentence. @returns the exit code */
export async function runVerb({ run }: PresaleVerb, asked: VerbArguments, io: PresaleIo): Promise<PresaleExit> {
  return told(() => run(asked, io), io)
}

/** @returns the exit code, also of a failure, which is told as one sentence */
export async function told(work: () => Promise<PresaleExit>, { err }: Pick<PresaleIo, 'err'>): Promise<PresaleExit> {
  try {
    return await work()
  } catch (fault) {
    const { code, message } = toFailure(fault)
    if (code === 'unknown') console.error(fault)
    err.write(`${printable(message)}\n`)
    return code === 'bad_input' || code === 'unknown' ? 2 : 1
  }
}
