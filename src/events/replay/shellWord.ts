import { printable } from './describe.ts'

/** A path as a shell takes it back; what would steer the terminal is blanked. */
export function shellWord(path: string): string {
  const plain = printable(path).replace(/^-/, './-')
  return /^[\w.,:/@%+=-]+$/.test(plain) ? plain : `'${plain.replaceAll("'", "'\\''")}'`
}
