/** Runs once before the journeys' workers start. */
import { shareSite } from '../stack/site.ts'

/** @returns runs after the last journey */
export default function setUp(): Promise<() => Promise<void>> {
  return shareSite()
}
