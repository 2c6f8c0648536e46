/** `npm run presale -- VERB …` */
// A reader such as `head` closes the pipe early
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'EPIPE') throw cause
  })
}

// While it loads, a library of web3.js warns that it computes in JavaScript: true, and nothing to be done about
const { warn } = console
console.warn = () => undefined
const { presaleCommand } = await import('./presale/command.ts')
console.warn = warn

process.exitCode = await presaleCommand(process.argv.slice(2), { out: process.stdout, err: process.stderr })

export {}
