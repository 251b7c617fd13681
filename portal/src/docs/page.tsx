import type { ReactNode } from 'react'

type DocsPageProps = { title: string; lead?: ReactNode; above?: ReactNode; children: ReactNode }

/** Title, lead and content of one page of the documentation. */
export const DocsPage = ({ title, lead, above, children }: DocsPageProps) => (
  <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
    <title>{`${title} · Adjoin docs`}</title>
    <div className="grid gap-1">
      {above}
      <h1 className="wrap-anywhere font-semibold text-title tracking-tight">{title}</h1>
      {lead && <div className="max-w-2xl text-large text-soft">{lead}</div>}
    </div>
    {children}
  </div>
)

export const DocsSection = ({ title, id, children }: { title: string; id?: string; children: ReactNode }) => (
  <section className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-3">
    <h2 id={id} className="scroll-mt-20 font-semibold text-large">
      {title}
    </h2>
    {children}
  </section>
)
