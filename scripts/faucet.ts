/** `npm run faucet -- ADDRESS [--sol N] [--usdc N]` */
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { faucetCommand } from './faucetCommand.ts'

process.exitCode = await faucetCommand(process.argv.slice(2), {
  out: text => process.stdout.write(text),
  err: text => process.stderr.write(text),
  root: dirname(dirname(fileURLToPath(import.meta.url))),
})
