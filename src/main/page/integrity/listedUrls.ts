/** @returns the addresses of a comma-separated setting, in the order in which they are tried */
export function listedUrls(setting: string): string[] {
  return setting.split(',').map(url => url.trim())
}
