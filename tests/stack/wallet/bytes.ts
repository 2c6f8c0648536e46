/** Base64 text of bytes, with padding. Works in a page and in Node. */
export function base64Text(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}

/** Bytes of base64 text. @throws Error when it is none */
export function bytesOfBase64(text: string): Uint8Array {
  try {
    return Uint8Array.from(atob(text), char => char.charCodeAt(0))
  } catch {
    throw new Error(`expected base64 text, got ${text.length} characters of something else`)
  }
}
