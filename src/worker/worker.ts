/** The worker's entry: one core behind one private port. */
import { expose } from 'comlink'
import { createShell } from './shell.ts'

expose(createShell())
