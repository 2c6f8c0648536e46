/** @returns the addresses in a setting that may hold several with commas between them, in the order to be tried */
export function listedUrls(setting: string): string[] {
  return setting.split(',').map(url => url.trim())
}
