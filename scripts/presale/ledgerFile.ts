/** The ledger as a file: written beside its place, and moved there when it is proved complete. */
import { closeSync, createReadStream, fsyncSync, mkdtempSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { refused } from '../../src/main/replay/verb.ts'
import { ledgerLine, type LedgerRow } from '../../src/worker/ledger/ledger.ts'
import type { PresaleIo } from './verb.ts'
import { writeAll } from './writeWhole.ts'

export type LedgerFile = {
  add(rows: LedgerRow[]): void
  /** makes the file durable under its name, or writes it to the output */
  finish(): Promise<void>
  /** removes an unfinished file */
  drop(): void
}

/**
 * @param path absent: the standard output gets the rows, at the end
 * @throws Fault `bad_input` when the file cannot be written
 */
export function openLedgerFile(path: string | undefined, io: PresaleIo): LedgerFile {
  const folder = path === undefined ? mkdtempSync(join(tmpdir(), 'presale-')) : undefined
  const part = folder === undefined ? `${path}.part` : join(folder, 'ledger.jsonl')
  if (path !== undefined && statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw refused(`--out expected the path of a file, got the folder ${path}`)
  const file = openedFile(part)
  let isOpen = true
  const close = () => {
    if (isOpen) closeSync(file)
    isOpen = false
  }
  return {
    add(rows) {
      writeAll(file, rows.map(row => `${ledgerLine(row)}\n`).join(''))
    },
    async finish() {
      fsyncSync(file)
      close()
      if (path !== undefined) renameSync(part, path)
      else for await (const text of createReadStream(part, 'utf8')) io.out.write(String(text))
    },
    drop() {
      close()
      rmSync(folder ?? part, { force: true, recursive: true })
    },
  }
}

function openedFile(path: string): number {
  try {
    return openSync(path, 'w')
  } catch (cause) {
    throw refused(`cannot write ${path}: ${(cause as NodeJS.ErrnoException).code ?? 'it failed'}`)
  }
}
