/** Lifetime of the blob's address, ms: the browser reads it after the press has returned. */
const keepMs = 60_000

/** @returns a random name for a recording: the time of saving would reveal how far its times were shifted */
export function recordingName(): string {
  return `mai-${crypto.randomUUID().slice(0, 8)}.replay.jsonl`
}

/**
 * Saves text as a file through the browser's own download.
 *
 * @param name the file's name, as the person will find it
 */
export function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/octet-stream' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.hidden = true
  document.body.append(link)
  link.click()
  link.remove()
  setTimeout(() => URL.revokeObjectURL(url), keepMs)
}
