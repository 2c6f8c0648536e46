import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { filesIn } from '../src/main/replay/filesIn.ts'

/** URL of a worker as the bundler writes it where a page starts one. */
const started = /\bnew URL\(\s*(["'`])([^"'`]+\.js)\1\s*,\s*import\.meta\.url\s*\)/g
/** Static or dynamic import. */
const imported = /\b(?:from|import)\s*\(?\s*(["'`])([^"'`]+)\1/g

/** Static import. */
const atOnce = /\b(?:from|import)\s*(["'`])(\.[^"'`]+)\1/g

/** @returns addresses of the workers this code starts, relative to it */
export function startsIn(code: string): string[] {
  return [...code.matchAll(started)].map(([, , path = '']) => path)
}

/** @returns paths of the scripts that pages of a build start as workers, sorted */
export function workerEntries(dist: string): string[] {
  const entries = scriptsIn(dist).flatMap(file => named(file, started))
  return [...new Set(entries)].sort()
}

/**
 * Finds scripts that import a worker's entry. WebKit does not register the entry under its address in the worker's module map,
 * so such an import evaluates the worker a second time, and two cores answer every call.
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

const importLine = /import\s*["'`]\.\/[\w.-]+["'`];?/g

/**
 * Finds workers that load unchecked code at their start. A page compares only the entry and, if the entry consists of imports
 * alone, the files it imports.
 *
 * @param dist the folder of a build
 * @returns one sentence for each
 */
export function uncheckedStarts(dist: string): string[] {
  return workerEntries(dist)
    .filter(entry => existsSync(entry))
    .flatMap(entry => {
      const imports = named(entry, atOnce)
      const isStub = readFileSync(entry, 'utf8').replace(importLine, '').trim() === ''
      const deep = isStub ? imports.filter(file => existsSync(file) && named(file, atOnce).length > 0) : []
      const wrong = !isStub && imports.length > 0 ? [entry] : deep
      return wrong.map(
        file => `${relative(dist, file)} imports more at its start than a page compares: that would run unchecked`,
      )
    })
}

function scriptsIn(dist: string): string[] {
  return filesIn(dist).filter(file => file.endsWith('.js'))
}

function named(file: string, address: RegExp): string[] {
  const found = readFileSync(file, 'utf8').matchAll(address)
  return [...found].map(([, , path = '']) => join(dirname(file), path.replace(/[?#].*$/, '')))
}
