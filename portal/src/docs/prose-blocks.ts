// Guides are written in the little of Markdown that they need.
import type { CodeLanguage } from './code/index.ts'

export type Block =
  | { kind: 'heading'; text: string; id: string }
  | { kind: 'paragraph' | 'note'; text: string }
  | { kind: 'list'; ordered: boolean; items: string[] }
  | { kind: 'table'; head: string[]; rows: string[][] }
  | { kind: 'code'; title: string; text: string }
  | { kind: 'tabs'; code: Partial<Record<CodeLanguage, string>> }

const languages: Record<string, CodeLanguage> = { curl: 'curl', cli: 'CLI', ts: 'TypeScript', py: 'Python' }
const titles: Record<string, string> = { json: 'JSON', sh: 'Shell', http: 'HTTP', '': 'Text' }

export const idOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')

const cells = (line: string) =>
  line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim())

/** Parts between empty lines; a fence keeps its own. */
const parts = (text: string) => text.trim().match(/```[\s\S]*?\n```|(?:(?!\n\s*\n|```)[\s\S])+/g) ?? []

function blockOf(part: string): Block {
  const lines = part.split('\n')
  const [first = ''] = lines
  const fence = /^```(\w*) ?(.*)\n([\s\S]*)\n```$/.exec(part)
  if (fence) {
    const [, language = '', title = '', text = ''] = fence
    const tab = languages[language]
    return tab ? { kind: 'tabs', code: { [tab]: text } } : { kind: 'code', title: title || (titles[language] ?? language), text }
  }
  if (first.startsWith('## ')) return { kind: 'heading', text: first.slice(3), id: idOf(first.slice(3)) }
  if (first.startsWith('> ')) return { kind: 'note', text: lines.map((line) => line.replace(/^> ?/, '')).join(' ') }
  if (first.startsWith('|')) {
    const [head, , ...rows] = lines.map(cells)
    return { kind: 'table', head: head!, rows }
  }
  const item = /^(?:- |\d+\. )/
  if (item.test(first))
    return {
      kind: 'list',
      ordered: /^\d/.test(first),
      items: part.split(/\n(?=- |\d+\. )/).map((text) => text.replace(item, '').replace(/\n\s*/g, ' ')),
    }
  return { kind: 'paragraph', text: part.replaceAll('\n', ' ') }
}

/** Examples of one thing that follow each other become tabs. */
export function blocksOf(text: string): Block[] {
  const blocks: Block[] = []
  for (const part of parts(text)
    .map((one) => one.trim())
    .filter(Boolean)) {
    const block = blockOf(part)
    const last = blocks.at(-1)
    if (block.kind === 'tabs' && last?.kind === 'tabs') Object.assign(last.code, block.code)
    else blocks.push(block)
  }
  return blocks
}

export const headingsOf = (text: string): { text: string; id: string }[] =>
  [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => ({ text: heading!, id: idOf(heading!) }))
