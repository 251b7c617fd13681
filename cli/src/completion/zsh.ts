import { namesOf, offers, paths, taking } from './bash.ts'
import { lookups, type Node, type Offer } from './tree.ts'

export function zsh(all: Node[]): string {
  const root = all[0]!.options.flatMap(({ name, offer }) => (offer ? [`    *" ${name}") ${found(offer)} ;;`] : []))
  return `#compdef adjoin
# adjoin for zsh: source <(adjoin completion zsh), or save it as _adjoin in a folder of $fpath
_adjoin() {
  local at='' word skip='' kind='' cur="\${words[CURRENT]}" line
  local -i count=0
  local -a context found
  for word in "\${(@)words[2,CURRENT-1]}"; do
    if [[ -n $skip ]]; then
      case "$skip" in
      ${lookups.join('|')}) context+=("$skip" "$word") ;;
      esac
      skip=''
      continue
    fi
    case "$word" in
    ${taking(all).join('|')}) skip="$word"; continue ;;
    ${lookups.map((name) => `${name}=*`).join('|')}) context+=("$word"); continue ;;
    -*) continue ;;
    esac
    case "\${at:+$at }$word" in
    ${paths(all).map(quoted).join('|')}) at="\${at:+$at }$word" ;;
    *) count+=1 ;;
    esac
  done
  if [[ -z $skip && $cur == --*=* ]]; then
    skip="\${cur%%=*}"
    cur="\${cur#*=}"
    compset -P '*='
  fi
  if [[ -z $skip && $cur == -* ]]; then
    case "$at" in
${all.map((node) => `    ${quoted(node.path)}) found=(${namesOf(all, node).map(described).join(' ')}) ;;`).join('\n')}
    esac
    _describe -o 'option' found
    return
  fi
  case "$at \${skip:-#$count}" in
${[
  ...all.flatMap(({ path, children }) =>
    children.length ? [`    ${quoted(`${path} #0`)}) found=(${children.map(described).join(' ')}) ;;`] : [],
  ),
  ...offers(all).map(({ key, offer }) => `    ${quoted(key)}) ${found(offer)} ;;`),
  ...root,
].join('\n')}
  esac
  if [[ $kind == files ]]; then
    _files
  elif [[ -n $kind ]]; then
    found=("\${(@f)$("\${words[1]}" completion values "$kind" "$cur" "\${context[@]}" 2>/dev/null)}")
    found=("\${(@)found:#}")
    found=("\${(@)found//:/\\\\:}")
    found=("\${(@)found/$'\\t'/:}")
    # The service was asked for what was typed, which may be part of a name: all of it fits.
    (( $#found )) && _describe -V "$kind" found -U
  elif (( $#found )); then
    _describe 'adjoin' found
  fi
}
if [[ $funcstack[1] == _adjoin ]]; then _adjoin "$@"; else compdef _adjoin adjoin; fi
`
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
/** A colon ends the word, and begins what is said about it. */
const described = ({ name, text }: { name: string; text: string }) => quoted(`${name.replaceAll(':', '\\:')}:${text}`)
const found = (offer: Offer): string => ('kind' in offer ? `kind=${offer.kind}` : `found=(${offer.words.map(quoted).join(' ')})`)
