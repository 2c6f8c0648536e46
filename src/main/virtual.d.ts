/** A committed recording, gzipped, in base64; `vite.config.ts` makes the module. */
declare module 'virtual:sample-recording' {
  const packed: string
  export default packed
}
