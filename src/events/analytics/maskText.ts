/**
 * Masks in texts that leave the device: an error's message quotes anything.
 *
 * 1. Masking twice changes nothing.
 * 2. No masked part holds a blank, so a text cut between two words loses no mask. Texts are cut first: the work may grow with the
 *    square of the length.
 * 3. Masking too much is harmless, too little is not: long words of a message may fall, too.
 */

/** Replaces each masked part. */
export const maskedPart = '…'

/** A pairing URI, plain or percent-encoded in a link, with all that follows it. */
const pairingUri = /wc(?::|%(?:25)*3a)\S*|symkey(?:=|%)\S*/gi
/** Query and fragment of a URL; a part of a link may be one that was not encoded. */
const query = /(:\/\/[^\s?#]*)[?#]\S*/g
const credentials = /(:\/\/)[^\s/?#]*@/g
/** A signed token: its first part is base64url of `{"`. */
const signedToken = /eyJ[\w-]{4,}[\w.-]*/g
const mail = /[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]{1,190}/g
/** Addresses, keys, topics, hashes and signatures in base58, hex or bech32. */
const longWord = /[0-9A-Za-z]{32,}/g

/** @returns the text without pairing URIs, queries, credentials, tokens, mail addresses and words of 32 or more letters and digits */
export function maskText(text: string): string {
  return text
    .replace(pairingUri, maskedPart)
    .replace(query, '$1')
    .replace(credentials, '$1')
    .replace(signedToken, maskedPart)
    .replace(mail, maskedPart)
    .replace(longWord, maskedPart)
}

/** @returns the masked text; one longer than `most` UTF-16 units is cut between two words and ends with a mask */
export function maskedWithin(text: string, most: number): string {
  if (text.length <= most) return maskText(text)
  const end = Math.max(text.lastIndexOf(' ', most - 1), text.lastIndexOf('\n', most - 1))
  return maskText(text.slice(0, Math.max(end, 0)) + maskedPart)
}
