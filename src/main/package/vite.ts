/** Entry for a Vite config: `plugins: [react(), maiModal()]`, from `mai-modal/vite`. */

/** The part of a Vite plugin that is used here, so that its types need no Vite. */
type SettingsPlugin = {
  name: string
  config(): {
    worker: { format: 'es' }
    optimizeDeps: { exclude: string[]; include: string[] }
  }
}

/** @returns a plugin: the worker is a module with chunks, and the development server leaves the package's files in their places */
function maiModal(): SettingsPlugin {
  return {
    name: 'mai-modal',
    config: () => ({
      worker: { format: 'es' },
      // Found late, they would reload the page in use
      optimizeDeps: { exclude: ['mai-modal'], include: ['react', 'react-dom/client', 'react/jsx-runtime'] },
    }),
  }
}

export { maiModal }
