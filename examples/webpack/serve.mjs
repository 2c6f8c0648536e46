/** Serves the page, and what webpack wrote into `dist`. */
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'

const server = createServer(async ({ url }, response) => {
  const { pathname } = new URL(url, 'http://host')
  const path = pathname === '/' ? './index.html' : /^\/dist\/[\w.-]+\.js$/.test(pathname) ? `.${pathname}` : undefined
  const content = path && (await readFile(new URL(path, import.meta.url)).catch(() => undefined))
  const type = pathname === '/' ? 'text/html; charset=utf-8' : 'text/javascript'
  response.writeHead(content ? 200 : 404, { 'content-type': type })
  response.end(content)
})
server.listen(Number(process.env.PORT ?? 4173), '127.0.0.1', () =>
  console.log(`http://127.0.0.1:${server.address().port}/`),
)
