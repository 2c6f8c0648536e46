/** @returns whether a text is a valid universal link: https or this device, and nothing after the path */
export function isUniversal(text: string): boolean {
  return /^(https:\/\/[^/\s?#@]+|http:\/\/(localhost|127\.0\.0\.1)(:\d+)?)(\/[^\s?#]*)?$/.test(text)
}
