import { CopyButton } from './copy-button.tsx'

type CodeBlockProps = { title?: string; text: string; copy?: string }

/** Something to run elsewhere, with the button that takes it along. */
export const CodeBlock = ({ title, text, copy }: CodeBlockProps) => (
  <section className="grid min-w-0 gap-2">
    <div className={`flex items-center gap-3 ${title ? 'justify-between' : 'justify-end'}`}>
      {title && <h3 className="font-medium text-small">{title}</h3>}
      <CopyButton text={text} {...(copy && { label: copy })} />
    </div>
    <pre className="wrap-anywhere whitespace-pre-wrap rounded-base bg-sunken px-3.5 py-3 font-mono text-tiny">{text}</pre>
  </section>
)
