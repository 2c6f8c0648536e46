/** The entry of `npm run presale:proof`. It measures processor time, which is printed and never judged. */
import { proofCommand } from './command.ts'

function spent(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

process.exitCode = await proofCommand(process.argv.slice(2), { out: process.stdout, err: process.stderr, spent })
