/** Workers of tests in a browser as one file each, as a visitor gets them: module by module, a start takes hundreds of requests. */
import { build, type Plugin, type Rolldown } from 'vite'

const asked = '?worker&url'

/** Serves each worker that is imported by address as a bundle, made once. */
export function bundledWorkers(): Plugin {
  const bundles = new Map<string, Promise<string>>()
  return {
    name: 'bundled-workers',
    enforce: 'pre',
    configureServer({ middlewares }) {
      middlewares.use(async ({ url }, response, next) => {
        const bundle = bundles.get(url ?? '')
        if (!bundle) return next()
        response.setHeader('content-type', 'text/javascript')
        bundle.then(code => response.end(code), next)
      })
    },
    async load(id) {
      if (!id.endsWith(asked)) return
      const file = id.slice(0, -asked.length)
      const url = `/bundled-worker${file.slice(file.lastIndexOf('/'))}.js`
      if (!bundles.has(url)) bundles.set(url, bundled(file))
      return `export default ${JSON.stringify(url)}`
    },
  }
}

async function bundled(input: string): Promise<string> {
  const built = await build({
    configFile: false,
    envDir: false,
    mode: 'test',
    logLevel: 'warn',
    build: {
      write: false,
      minify: false,
      modulePreload: false,
      rolldownOptions: { input, output: { codeSplitting: false } },
    },
  })
  const [entry] = (built as Rolldown.RolldownOutput).output
  return entry.code
}
