/// <reference types="node" />
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** @returns the paths of all files below a folder, sorted. Links to files count, links to folders are not followed. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .map(entry => ({ entry, path: join(entry.parentPath, entry.name) }))
    .filter(({ entry, path }) => entry.isFile() || (entry.isSymbolicLink() && !leadsToFolder(path)))
    .map(({ path }) => path)
    .sort()
}

function leadsToFolder(link: string): boolean {
  return statSync(link, { throwIfNoEntry: false })?.isDirectory() ?? false
}
