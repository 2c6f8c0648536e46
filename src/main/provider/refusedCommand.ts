import type { Command } from '../../events/command.ts'
import { Fault } from '../../runtime/failure.ts'

/** @returns why the core refused the command's form, before anything happened; undefined if the command may have got lost */
export function formRefusal(cause: unknown, type: Command['type']): string | undefined {
  if (!(cause instanceof Fault) || cause.code !== 'bad_input') return undefined
  const named = `${type}: `
  return cause.message.startsWith(named) ? cause.message.slice(named.length) : cause.message
}
