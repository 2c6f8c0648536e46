/** The entry of `npm run presale:proof`. */
import { proofCommand } from './command.ts'

process.exitCode = await proofCommand(process.argv.slice(2), { out: process.stdout, err: process.stderr })
