/// <reference types="node" />
/** `npm run replay -- VERB …`. Exit code 0: no difference, 1: a difference, 2: a wrong command or an unreadable file. */
import { fileURLToPath } from 'node:url'
import { replayCommand } from './replay/command.ts'
import { sourceHash } from './replay/sourceHash.ts'

// A reader such as `head` closes the pipe early
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'EPIPE') throw cause
  })
}
const root = fileURLToPath(new URL('../../', import.meta.url))
const io = { out: process.stdout, err: process.stderr, build: sourceHash(root, 'core'), root, env: process.env }
process.exitCode = await replayCommand(process.argv.slice(2), io)
