/** The ledger as a file: written beside its place, and moved there when it is proved complete. */
import { closeSync, createReadStream, fsyncSync, mkdtempSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { refused } from '../../src/main/replay/verb.ts'
import { ledgerLine, type LedgerRow } from '../../src/worker/ledger/ledger.ts'
import type { PresaleIo } from './verb.ts'
import { notWritten, writeAll } from './writeWhole.ts'

export type LedgerFile = {
  add(rows: LedgerRow[]): void
  /** makes the file durable under its name, or writes it to the output */
  finish(): Promise<void>
  /** removes an unfinished file */
  drop(): void
}

/**
 * @param path absent: the standard output gets the rows, at the end
 * @throws Fault `bad_input` when the file cannot be written, as its methods do
 */
export function openLedgerFile(path: string | undefined, io: PresaleIo): LedgerFile {
  const folder = path === undefined ? temporaryFolder() : undefined
  const part = folder === undefined ? `${path}.part` : join(folder, 'ledger.jsonl')
  const written = <T>(write: () => T): T => {
    try {
      return write()
    } catch (cause) {
      throw notWritten(part, cause)
    }
  }
  if (path !== undefined && written(() => statSync(path, { throwIfNoEntry: false }))?.isDirectory())
    throw refused(`--out expected the path of a file, got the folder ${path}`)
  const file = written(() => openSync(part, 'w'))
  let isOpen = true
  const close = () => {
    if (isOpen) closeSync(file)
    isOpen = false
  }
  return {
    add(rows) {
      written(() => writeAll(file, rows.map(row => `${ledgerLine(row)}\n`).join('')))
    },
    async finish() {
      written(() => {
        fsyncSync(file)
        close()
        if (path !== undefined) renameSync(part, path)
      })
      if (path === undefined) for await (const text of createReadStream(part, 'utf8')) io.out.write(String(text))
    },
    drop() {
      close()
      rmSync(folder ?? part, { force: true, recursive: true })
    },
  }
}

function temporaryFolder(): string {
  try {
    return mkdtempSync(join(tmpdir(), 'presale-'))
  } catch (cause) {
    throw refused(
      `cannot make a folder in ${tmpdir()}: ${(cause as NodeJS.ErrnoException).code ?? 'it failed'}; with --out FILE none is needed`,
    )
  }
}
