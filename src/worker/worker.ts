/** The worker's entry: one core behind one private port. */
import { expose } from 'comlink'
import { createShell } from './shell.ts'

expose(createShell({ stepping: input => postMessage(input?.n ?? 0) }))
// From the first word on the page may expect answers
postMessage(0)
