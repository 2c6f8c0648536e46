/** A wallet's picture as a data URL: its first letter on a colour made from its name. */
export function iconOf(name: string): string {
  let hue = 0
  for (const char of name) hue = (hue * 31 + (char.codePointAt(0) ?? 0)) % 360
  const letter = /[A-Za-z0-9]/.exec(name)?.[0] ?? '?'
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="hsl(${hue} 55% 45%)"/><text x="16" y="22" font-family="sans-serif" font-size="17" font-weight="600" text-anchor="middle" fill="#fff">${letter}</text></svg>`
  return `data:image/svg+xml;base64,${btoa(svg)}`
}
