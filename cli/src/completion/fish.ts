import { namesOf, offers, paths, taking } from './bash.ts'
import { lookups, type Node, type Offer } from './tree.ts'

export function fish(all: Node[]): string {
  const root = all[0]!.options.flatMap(({ name, offer }) => (offer ? [`    case '* ${name}'\n      ${found(offer)}`] : []))
  return `# adjoin for fish: adjoin completion fish > ~/.config/fish/completions/adjoin.fish
function __adjoin_complete
  set -l tokens (commandline -opc)
  set -l program $tokens[1]
  set -e tokens[1]
  set -l cur (commandline -ct)
  set -l at ''
  set -l skip ''
  set -l context
  set -l count 0
  for word in $tokens
    if test -n "$skip"
      contains -- $skip ${lookups.join(' ')}; and set -a context $skip $word
      set skip ''
      continue
    end
    switch $word
      case ${taking(all).join(' ')}
        set skip $word
        continue
      case ${lookups.map((name) => `'${name}=*'`).join(' ')}
        set -a context $word
        continue
      case '-*'
        continue
    end
    set -l next (string trim "$at $word")
    switch $next
      case ${paths(all).map(quoted).join(' ')}
        set at $next
      case '*'
        set count (math $count + 1)
    end
  end
  set -l before ''
  if test -z "$skip"; and string match -qr -- '^--.*=' $cur
    set skip (string replace -r '=.*$' '' -- $cur)
    set before "$skip="
    set cur (string replace -r '^[^=]*=' '' -- $cur)
  end
  if test -z "$skip"; and string match -qr -- '^-' $cur
    switch $at
${all.map((node) => `      case ${quoted(node.path)}\n        printf '%s\\t%s\\n' ${namesOf(all, node).map(described).join(' ')}`).join('\n')}
    end
    return
  end
  set -l key "$at #$count"
  test -n "$skip"; and set key "$at $skip"
  switch $key
${[
  ...all.flatMap(({ path, children }) =>
    children.length ? [`    case ${quoted(`${path} #0`)}\n      printf '%s\\t%s\\n' ${children.map(described).join(' ')}`] : [],
  ),
  ...offers(all).map(({ key, offer }) => `    case ${quoted(key)}\n      ${found(offer)}`),
  ...root,
].join('\n')}
  end
end
complete -c adjoin -f -a '(__adjoin_complete)'
`
}

const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
const described = ({ name, text }: { name: string; text: string }) => `${quoted(name)} ${quoted(text)}`

function found(offer: Offer): string {
  if ('kind' in offer && offer.kind === 'files') return '__fish_complete_path $cur'
  const words =
    'words' in offer ? offer.words.map(quoted).join(' ') : `($program completion values ${offer.kind} "$cur" $context 2>/dev/null)`
  return `string replace -r -- '^' "$before" ${words}`
}
