/** @returns the addresses of a setting with commas between them, in the order in which to try them */
export function listedUrls(setting: string): string[] {
  return setting.split(',').map(url => url.trim())
}
