import type { ReactNode } from 'react'

/** A comment, a string, a flag of a command, a word of the language, a number. One pattern is enough for examples this short. */
const TOKEN =
  /(?<comment>(?<=^|\s)(?:#|\/\/)[^\n]*)|(?<string>'(?:\\.|'\\''|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`)|(?<flag>(?<=\s)--?[A-Za-z][\w-]*)|(?<word>\b(?:import|from|const|await|async|for|of|if|not|in|def|return|raise|throw|new|try|catch|except|any|true|false|null|True|False|None|curl|adjoin|npm)\b)|(?<number>\b\d+(?:\.\d+)?\b)/gm

const looks: Record<string, string> = {
  comment: 'text-faint',
  string: 'text-good',
  flag: 'text-warn',
  word: 'text-accent',
  number: 'text-mark-demand',
}

/** Code with its parts in colours; the text stays as it is. */
export function Highlighted({ text }: { text: string }) {
  const parts: ReactNode[] = []
  let end = 0
  for (const match of text.matchAll(TOKEN)) {
    const kind = Object.entries(match.groups ?? {}).find(([, value]) => value !== undefined)?.[0] ?? ''
    if (match.index > end) parts.push(text.slice(end, match.index))
    parts.push(
      <span key={match.index} className={looks[kind]}>
        {match[0]}
      </span>,
    )
    end = match.index + match[0].length
  }
  return [...parts, text.slice(end)]
}
