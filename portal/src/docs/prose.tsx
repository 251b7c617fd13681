import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import { Icon } from '../design/icons.tsx'
import { here, hrefOf, judged } from '../destination.ts'
import { Code, CodeTabs } from './code-tabs.tsx'
import { type Block, blocksOf } from './prose-blocks.ts'

/** `code`, **bold** and [links](/docs) within a sentence. */
export const Marked = ({ text }: { text: string }): ReactNode =>
  text.split(/(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\([^)]+\))/).map((part, index) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one fixed sentence
    return <Fragment key={index}>{marked(part)}</Fragment>
  })

function marked(part: string): ReactNode {
  if (/^`.+`$/.test(part))
    return <code className="wrap-anywhere rounded-[4px] bg-sunken px-1 py-px font-mono text-small">{part.slice(1, -1)}</code>
  if (/^\*\*.+\*\*$/.test(part)) return <strong className="font-semibold text-ink">{part.slice(2, -2)}</strong>
  const [, words, to = ''] = /^\[([^\]]+)\]\(([^)]+)\)$/.exec(part) ?? []
  if (!words) return part
  return (
    <TextLink to={to}>
      {/^`.+`$/.test(words) ? <code className="wrap-anywhere font-mono text-small">{words.slice(1, -1)}</code> : words}
    </TextLink>
  )
}

/** Within the portal without a reload; elsewhere as a browser does it. */
export function TextLink({ to, children }: { to: string; children: ReactNode }) {
  if (!to.startsWith('/docs'))
    return (
      <a href={hrefOf(to.startsWith('/') ? here(to) : judged(to))} className="link" {...(to.startsWith('http') && { rel: 'noreferrer' })}>
        {children}
      </a>
    )
  const [path = '', hash] = to.split('#')
  return (
    <Link to={path as '/docs'} {...(hash && { hash })} className="link">
      {children}
    </Link>
  )
}

/** Text of a guide, with everything that it consists of. */
export const Prose = ({ text }: { text: string }) => (
  <div className="grid min-w-0 gap-4">
    {blocksOf(text).map((block, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of one fixed text
      <BlockView key={index} block={block} />
    ))}
  </div>
)

function BlockView({ block }: { block: Block }): ReactNode {
  switch (block.kind) {
    case 'heading':
      return (
        <h2 id={block.id} className="mt-4 scroll-mt-20 font-semibold text-large">
          <a href={`#${block.id}`} className="hover:underline">
            {block.text}
          </a>
        </h2>
      )
    case 'paragraph':
      return (
        <p className="max-w-2xl">
          <Marked text={block.text} />
        </p>
      )
    case 'note':
      return (
        <p className="flex max-w-2xl gap-2.5 rounded-base bg-accent-tint px-3.5 py-3">
          <Icon name="info" className="mt-[3px] text-accent" />
          <span className="min-w-0">
            <Marked text={block.text} />
          </span>
        </p>
      )
    case 'list': {
      const List = block.ordered ? 'ol' : 'ul'
      return (
        <List className={`grid max-w-2xl gap-1.5 pl-5 ${block.ordered ? 'list-decimal' : 'list-disc'} marker:text-faint`}>
          {block.items.map((item) => (
            <li key={item}>
              <Marked text={item} />
            </li>
          ))}
        </List>
      )
    }
    case 'table':
      return <TableBlock {...block} />
    case 'code':
      return <Code text={block.text} label={block.title} />
    case 'tabs':
      return <CodeTabs label="Example" code={block.code} />
  }
}

const TableBlock = ({ head, rows }: { head: string[]; rows: string[][] }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
  <section tabIndex={0} aria-label={head.filter(Boolean).join(', ') || 'Table'} className="card overflow-x-auto">
    <table className="w-full text-left">
      <thead className={head.some(Boolean) ? '' : 'sr-only'}>
        <tr className="border-line border-b text-faint text-small">
          {head.map((cell, index) => (
            <th key={cell || index} scope="col" className="px-4 py-2 font-medium">
              {cell || <span className="sr-only">Name</span>}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {rows.map((row) => (
          <tr key={row.join()}>
            {row.map((cell, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the cells of one fixed row
              <td key={index} className="px-4 py-2 align-top">
                <Marked text={cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)
