// The commands of a page of Markdown, as a person would copy them.

export interface ReadmeCommand {
  readonly text: string
  readonly line: number
}

const FENCE = /^ *```/

/** Of the fenced blocks: one for each line, continued where it says so, without its comment. */
export function fencedCommands(markdown: string): ReadmeCommand[] {
  const commands: ReadmeCommand[] = []
  let within = false
  let open = ''
  for (const [index, raw] of markdown.split('\n').entries()) {
    if (FENCE.test(raw)) within = !within
    else if (within) {
      const text = `${open}${open ? raw.trim() : withoutComment(raw).trim()}`
      open = text.endsWith('\\') ? `${text.slice(0, -1).trimEnd()} ` : ''
      if (!open && text) commands.push({ text, line: index + 1 })
    }
  }
  return commands
}

/** A comment stands behind two spaces or more, or behind `)`. */
const withoutComment = (line: string): string => line.replace(/\s{2,}# .*$/, '')

/** Between backticks in the text, where it is a command with something behind its name. */
export function inlineCommands(markdown: string): ReadmeCommand[] {
  const text = markdown.replace(/^ *```[\s\S]*?^ *```/gm, (block) => block.replace(/[^\n]/g, ''))
  return [...text.matchAll(/`((?:npm|npx|adjoin|curl|source) [^`]+)`/g)].map((match) => ({
    text: match[1]!.replace(/\s+/g, ' '),
    line: text.slice(0, match.index).split('\n').length,
  }))
}
