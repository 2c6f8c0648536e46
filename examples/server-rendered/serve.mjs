/** Renders the page on each request, and serves the client's files. */
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { render } from './dist/server/server.js'

const page = await readFile(new URL('./dist/client/index.html', import.meta.url), 'utf8')

const server = createServer(async ({ url }, response) => {
  const { pathname } = new URL(url, 'http://host')
  if (pathname === '/') {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    return response.end(page.replace('<!--app-->', render))
  }
  const name = /^\/assets\/([\w.-]+\.js)$/.exec(pathname)?.[1]
  const file = name && (await readFile(new URL(`./dist/client/assets/${name}`, import.meta.url)).catch(() => undefined))
  response.writeHead(file ? 200 : 404, { 'content-type': 'text/javascript' })
  response.end(file)
})
server.listen(Number(process.env.PORT ?? 4173), '127.0.0.1', () =>
  console.log(`http://127.0.0.1:${server.address().port}/`),
)
