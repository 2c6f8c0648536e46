/** What the build writes into this worker. */
interface ImportMeta {
  readonly env: { readonly VITE_DOOR: string }
}
