import { Fault } from '../../runtime/failure.ts'

/** @returns why the core refused the command's form, before anything happened; undefined if the command may have got lost */
export function formRefusal(cause: unknown): string | undefined {
  if (!(cause instanceof Fault) || cause.code !== 'bad_input') return undefined
  return cause.message
}
