/// <reference types="node" />
/** `npm run replay -- FILE`. Exit code 0: identical; 1: something came out otherwise; 2: the file cannot be read. */
import { replayCommand } from './replayCommand.ts'

// Whoever reads only the beginning, such as `head`, closes the pipe
process.stdout.on('error', (cause: NodeJS.ErrnoException) => {
  if (cause.code !== 'EPIPE') throw cause
})
process.exitCode = await replayCommand(process.argv.slice(2), process.stdout, process.stderr)
