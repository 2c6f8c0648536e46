/** `npm run presale -- VERB …` */
import { presaleCommand } from './presale/command.ts'

// A reader such as `head` closes the pipe early
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'EPIPE') throw cause
  })
}
process.exitCode = await presaleCommand(process.argv.slice(2), { out: process.stdout, err: process.stderr })
