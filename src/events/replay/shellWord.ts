import { printable } from '../../runtime/replay/describe.ts'

/** Quotes a path for a shell; characters that steer the terminal are replaced. */
export function shellWord(path: string): string {
  const plain = printable(path).replace(/^-/, './-')
  return /^[\w.,:/@%+=-]+$/.test(plain) ? plain : `'${plain.replaceAll("'", "'\\''")}'`
}
