/** Constants that the build writes into this worker. */
interface ImportMeta {
  readonly env: { readonly VITE_DOOR: string; readonly VITE_WORKER_PARTS: string }
}
