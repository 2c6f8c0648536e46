import type { Recorded } from '../../runtime/recording/recording.ts'
import { type Causes, createCauses } from '../../runtime/story/cause.ts'
import type { Entry } from '../../runtime/story/story.ts'
import { commandDefinitions } from '../command.ts'

/** @returns whether this is a command */
export function isCommand({ record }: Pick<Entry, 'record'>): boolean {
  return record.k === 'i' && Object.hasOwn(commandDefinitions, record.type)
}

/** @returns the causes in a recording of this product */
export function causesOf(records: readonly Recorded[]): Causes {
  return createCauses(records, {
    isCommand: record => isCommand({ record }),
    // `walletId` names a product
    namesThing: field => /(?:Id|Topic)$/.test(field) && field !== 'walletId',
  })
}
