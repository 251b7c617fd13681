import { lookups, type Node, type Offer } from './tree.ts'

/** Options whose value is the next word: it is no command, whatever it looks like. */
export const taking = (all: readonly Node[]): string[] => [
  ...new Set(all.flatMap(({ options }) => options.filter(({ takes }) => takes).map(({ name }) => name))),
]

export const paths = (all: readonly Node[]): string[] => all.flatMap(({ path }) => (path ? [path] : []))

/** `integrations list --status` → its values, `keys get #0` → those of its first argument. */
export function offers(all: readonly Node[]): { key: string; offer: Offer }[] {
  return all.flatMap(({ path, options, operands }) => [
    ...options.flatMap(({ name, offer }) => (offer ? [{ key: `${path} ${name}`, offer }] : [])),
    ...operands.flatMap((offer, i) => (offer ? [{ key: `${path} #${i}`, offer }] : [])),
  ])
}

export const namesOf = (all: readonly Node[], { path, options }: Node): Node['options'] => (path ? [...options, ...globals(all)] : options)
const globals = (all: readonly Node[]) => all[0]!.options.filter(({ name }) => name !== '--help' && name !== '--version')

export function bash(all: Node[]): string {
  const root = all[0]!.options.flatMap(({ name, offer }) => (offer ? [`    *" ${name}") ${found(offer)} ;;`] : []))
  return `# adjoin for bash: source <(adjoin completion bash)
_adjoin() {
  local at="" word skip="" kind="" words="" cur="\${COMP_WORDS[COMP_CWORD]}" line
  local -i count=0
  local -a context=() found=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [[ -n $skip ]]; then
      [[ $word == "=" ]] && continue
      case "$skip" in
      ${lookups.join('|')}) context+=("$skip" "$word") ;;
      esac
      skip=""
      continue
    fi
    case "$word" in
    ${taking(all).join('|')}) skip="$word"; continue ;;
    -*) continue ;;
    esac
    case "\${at:+$at }$word" in
    ${paths(all)
      .map((path) => `"${path}"`)
      .join('|')}) at="\${at:+$at }$word" ;;
    *) count+=1 ;;
    esac
  done
  [[ $cur == "=" ]] && cur=""
  if [[ -z $skip && $cur == -* ]]; then
    case "$at" in
${all
  .map(
    (node) =>
      `    "${node.path}") words="${namesOf(all, node)
        .map(({ name }) => name)
        .join(' ')}" ;;`,
  )
  .join('\n')}
    esac
  else
    case "$at \${skip:-#$count}" in
${[
  ...all.flatMap(({ path, children }) =>
    children.length ? [`    "${path} #0") words="${children.map(({ name }) => name).join(' ')}" ;;`] : [],
  ),
  ...offers(all).map(({ key, offer }) => `    "${key}") ${found(offer)} ;;`),
  ...root,
].join('\n')}
    esac
  fi
  if [[ $kind == files ]]; then
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -f -- "$cur"))
  elif [[ -n $kind ]]; then
    while IFS= read -r line; do found+=("$line"); done < <("\${COMP_WORDS[0]}" completion values "$kind" "$cur" \${context[@]+"\${context[@]}"} 2>/dev/null)
    # Several are listed with their names; what is put on the line is the value alone.
    if [[ \${#found[@]} -gt 1 && $COMP_TYPE != 37 && $COMP_TYPE != 42 ]]; then
      COMPREPLY=("\${found[@]/$'\\t'/  # }")
    else
      COMPREPLY=("\${found[@]%%$'\\t'*}")
    fi
  else
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
  fi
}
complete -F _adjoin adjoin
`
}

const found = (offer: Offer): string => ('kind' in offer ? `kind=${offer.kind}` : `words="${offer.words.join(' ')}"`)
