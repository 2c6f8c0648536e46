/// <reference types="node" />
/** `npm run replay -- VERB …`. Exit code 0: as it should be; 1: something came out otherwise; 2: it could not be looked at. */
import { fileURLToPath } from 'node:url'
import { replayCommand } from './replay/command.ts'
import { sourceHash } from './replay/sourceHash.ts'

// Whoever reads only the beginning, such as `head`, closes the pipe
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'EPIPE') throw cause
  })
}
const root = fileURLToPath(new URL('../../', import.meta.url))
const io = { out: process.stdout, err: process.stderr, build: sourceHash(root, 'core'), root }
process.exitCode = await replayCommand(process.argv.slice(2), io)
