import { CopyButton } from '../design/copy-button.tsx'
import { Tabs } from '../design/tabs.tsx'
import { chooseLanguage, useLanguage } from './chosen-language.ts'
import { type CodeLanguage, codeLanguages } from './code/index.ts'
import { Highlighted } from './highlight.tsx'

type CodeProps = { text: string; label?: string; title?: string }

/** Code to take along. Lines are not broken: what is copied by eye should look as it is. */
export const Code = ({ text, label = 'Code', title }: CodeProps) => (
  <div className="min-w-0 overflow-clip rounded-base border border-line bg-sunken">
    <div className="flex items-center justify-between gap-3 border-line border-b py-1.5 pr-1.5 pl-3.5">
      <span className="font-medium text-small text-soft">{title ?? label}</span>
      <CopyButton text={text} of={label} />
    </div>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
    <pre tabIndex={0} className="overflow-x-auto px-3.5 py-3 font-mono text-small">
      <code>
        <Highlighted text={text} />
      </code>
    </pre>
  </div>
)

type CodeTabsProps = { label: string; code: Partial<Record<CodeLanguage, string>> }

/** One example in several languages. The choice holds for every example on every page, and is remembered. */
export function CodeTabs({ label, code }: CodeTabsProps) {
  const wanted = useLanguage()
  const names = codeLanguages.filter((name) => code[name] !== undefined)
  const shown = names.includes(wanted) ? wanted : names[0]!
  return (
    <Tabs label={label} names={names} value={shown} onChange={(name) => chooseLanguage(name as CodeLanguage)}>
      <Code text={code[shown]!} label={`${label} in ${shown}`} title={shown} />
    </Tabs>
  )
}
