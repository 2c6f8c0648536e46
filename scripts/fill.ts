/** `npm run presale:fill -- --terms FILE [--orders N] [--when open|paused|closed]` */
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fillCommand } from './fillCommand.ts'

process.exitCode = await fillCommand(process.argv.slice(2), {
  out: text => process.stdout.write(text),
  err: text => process.stderr.write(text),
  root: dirname(dirname(fileURLToPath(import.meta.url))),
})
