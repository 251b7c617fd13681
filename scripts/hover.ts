// What an editor shows where the pointer rests: asks TypeScript's own language server, as editors do.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

interface Message {
  id?: number
  method?: string
  result?: unknown
  error?: { message: string }
}

/** Hovers over `words` in `text`, a file of the project in `folder`; each is looked for where it occurs first. */
export async function hover(tsc: string, folder: string, text: string, words: readonly string[]): Promise<Record<string, string>> {
  const server = spawn(tsc, ['--lsp', '--stdio'], { cwd: folder, stdio: ['pipe', 'pipe', 'ignore'] })
  const waiting = new Map<number, (message: Message) => void>()
  const send = (message: object) => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message })
    server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  }
  const ask = <T>(id: number, method: string, params: object): Promise<T> =>
    new Promise((resolve, reject) => {
      waiting.set(id, ({ result, error }) => (error ? reject(new Error(error.message)) : resolve(result as T)))
      send({ id, method, params })
    })
  let read = Buffer.alloc(0)
  server.stdout.on('data', (chunk: Buffer) => {
    read = Buffer.concat([read, chunk])
    for (;;) {
      const head = /^Content-Length: (\d+)\r\n(?:.+\r\n)*\r\n/.exec(read.toString('latin1'))
      if (!head || read.length < head[0].length + Number(head[1])) return
      const message: Message = JSON.parse(read.subarray(head[0].length, head[0].length + Number(head[1])).toString('utf8'))
      read = read.subarray(head[0].length + Number(head[1]))
      // What the server asks of an editor is answered with nothing; what it tells is passed over.
      if (message.method && message.id !== undefined) send({ id: message.id, result: null })
      else if (message.id !== undefined) waiting.get(message.id)?.(message)
    }
  })
  try {
    const uri = pathToFileURL(join(folder, 'hovered.ts')).href
    const rootUri = pathToFileURL(folder).href
    await ask(1, 'initialize', {
      processId: process.pid,
      rootUri,
      capabilities: { textDocument: { hover: { contentFormat: ['plaintext'] } } },
    })
    send({ method: 'initialized', params: {} })
    send({ method: 'textDocument/didOpen', params: { textDocument: { uri, languageId: 'typescript', version: 1, text } } })
    const shown: Record<string, string> = {}
    for (const [i, word] of words.entries()) {
      const before = text.slice(0, text.indexOf(word)).split('\n')
      const position = { line: before.length - 1, character: before.at(-1)!.length + 1 }
      const answer = await ask<{ contents: string | { value: string } } | null>(i + 2, 'textDocument/hover', {
        textDocument: { uri },
        position,
      })
      shown[word] = typeof answer?.contents === 'string' ? answer.contents : (answer?.contents.value ?? '')
    }
    return shown
  } finally {
    server.kill()
  }
}
