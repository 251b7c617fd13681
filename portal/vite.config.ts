import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** The page is drawn by the script, so nothing is painted before it has run: no flash of the other theme. */
const paintOnce: Plugin = {
  name: 'paint-once',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html) => html.replace('<script type="module"', '<script type="module" blocking="render"'),
  },
}

/** In development as the service does it: the connect page is an entry of its own. */
const connectEntry: Plugin = {
  name: 'connect-entry',
  configureServer: ({ middlewares }) => {
    middlewares.use((request, _, next) => {
      if (request.url?.startsWith('/connect/')) request.url = '/connect.html'
      next()
    })
  },
}

/**
 * What is needed together comes as one file: small ones each compress worse. The pages for clients must stay
 * within a budget, so what only some of them need is not among it.
 */
const groups = [
  {
    name: 'base',
    test: /node_modules\/(react|react-dom|scheduler)\/|design\/(button|icons|logo|notice|phrases|skeleton)\.tsx?$|src\/(destination|theme)\.ts$/,
  },
  { name: 'forms', test: /design\/(field|form|provider-fields)\.tsx$/ },
  {
    name: 'client',
    test: /connect\/(client|doorway|frame|language-choice|languages|link|phrases|speech|use-hash|use-read|words\/plurals)\.tsx?$/,
  },
]

const service = process.env.ADJOIN_URL ?? 'http://localhost:3000'

export default defineConfig(({ command }) => {
  // What is built is built for people, whatever NODE_ENV says to the rest of the machine.
  if (command === 'build') process.env.NODE_ENV = 'production'
  return {
    root: import.meta.dirname,
    plugins: [react(), tailwindcss(), paintOnce, connectEntry],
    build: {
      rolldownOptions: {
        input: ['index.html', 'connect.html'].map((page) => join(import.meta.dirname, page)),
        output: { codeSplitting: { groups } },
      },
      outDir: 'dist',
      emptyOutDir: true,
      target: ['chrome123', 'edge123', 'firefox128', 'safari17.5'],
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      reportCompressedSize: false,
    },
    server: {
      port: 5173,
      proxy: Object.fromEntries(['/v1', '/health', '/version', '/openapi.json', '/dev/mailbox.json'].map((path) => [path, service])),
    },
  }
})
