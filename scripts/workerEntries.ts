import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { filesIn } from '../src/main/filesIn.ts'

/** A script's address as the bundler writes it where a page starts a worker. */
const started = /\bnew URL\(\s*(["'`])([^"'`]+\.js)\1\s*,\s*import\.meta\.url\s*\)/g
/** A module that a script imports, at once or later. */
const imported = /\b(?:from|import)\s*\(?\s*(["'`])([^"'`]+)\1/g

/** @returns addresses, relative to this code, of what it starts as workers */
export function startsIn(code: string): string[] {
  return [...code.matchAll(started)].map(([, , path = '']) => path)
}

/** @returns paths of the scripts in a build that pages start as workers, sorted */
export function workerEntries(dist: string): string[] {
  const entries = scriptsIn(dist).flatMap(file => named(file, started))
  return [...new Set(entries)].sort()
}

/**
 * Finds scripts that import a worker's entry. WebKit does not keep the entry among the worker's modules under its address:
 * such an import evaluates the whole worker a second time, and two cores answer every call.
 *
 * @param dist the folder of a build
 * @returns one sentence for each import
 */
export function entryImports(dist: string): string[] {
  const entries = new Set(workerEntries(dist))
  return scriptsIn(dist).flatMap(file =>
    named(file, imported)
      .filter(target => entries.has(target))
      .map(
        target =>
          `${relative(dist, file)} imports ${relative(dist, target)}, a worker's entry: WebKit would run that worker twice`,
      ),
  )
}

function scriptsIn(dist: string): string[] {
  return filesIn(dist).filter(file => file.endsWith('.js'))
}

function named(file: string, address: RegExp): string[] {
  const found = readFileSync(file, 'utf8').matchAll(address)
  return [...found].map(([, , path = '']) => join(dirname(file), path.replace(/[?#].*$/, '')))
}
