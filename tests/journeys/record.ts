/**
 * Makes the committed recordings anew: runs the journeys that keep one, against the code as it stands, and writes what their
 * visitors downloaded to `tests/replay/recordings/`. Needed when facts, effects or deciders have changed on purpose.
 *
 *   node --import tsx tests/journeys/record.ts
 *
 * Takes about four minutes. A journey that fails leaves its old recording in place, and the exit code tells. Each recording
 * has been re-executed byte for byte by the journey that made it before it is written.
 */
import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { node } from '../../scripts/runCheck.ts'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

function record(): void {
  const [program = process.execPath, ...args] = node(
    root,
    ['@playwright/test', 'playwright'],
    ['test', '--reporter=list', 'installed', 'walletConnect', 'killed', 'refused', 'recording'],
  )
  const child = spawn(program, args, { cwd: root, env: { ...process.env, RECORD: '1' }, stdio: 'inherit' })
  child.once('exit', code => {
    const files = readdirSync(join(root, 'tests/replay/recordings')).filter(name => name.endsWith('.jsonl'))
    console.log(`${files.length} recordings in tests/replay/recordings:\n${files.map(name => `  ${name}\n`).join('')}`)
    process.exitCode = code ?? 1
  })
}

record()
