/** Tells whether a public key lies on the curve P-256 (FIPS 186-4, D.1.2.3). */
const p = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn
const b = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn

/** @param x 32 bytes in base64url, as `y` */
export function isPointOfP256(x: string, y: string): boolean {
  const [left, up] = [numberOf(x), numberOf(y)]
  return left < p && up < p && (up * up - (left * left * left - 3n * left + b)) % p === 0n
}

function numberOf(base64url: string): bigint {
  const bytes = atob(base64url.replace(/-/g, '+').replace(/_/g, '/'))
  return [...bytes].reduce((number, byte) => number * 256n + BigInt(byte.charCodeAt(0)), 0n)
}
