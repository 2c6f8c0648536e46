/** The replayer's sample recording: part of the build, because the replayer calls no address. */
import { sampleName } from '../../replay/sampleName.ts'

/** Loads the sample. @returns the packed file */
export async function sampleRecording(): Promise<File> {
  const { default: packed } = await import('virtual:sample-recording')
  const bytes = Uint8Array.from(atob(packed), char => char.charCodeAt(0))
  return new File([bytes], `${sampleName}.gz`, { type: 'application/gzip' })
}
