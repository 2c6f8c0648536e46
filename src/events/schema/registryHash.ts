/** A hash of the registry: builds with the same hash write and read the same shapes. */
import { allInputDefinitions, factDefinitions, pageFactDefinitions } from './definitions.ts'
import { tablesHash } from '../../runtime/schema/tablesHash.ts'

/** @returns 8 hex digits over every type's name and version and its fields' names, classes and nesting */
export function registryHash(): string {
  return tablesHash([allInputDefinitions, factDefinitions, pageFactDefinitions])
}
