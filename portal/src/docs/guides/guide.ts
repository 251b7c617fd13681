export type Guide = {
  slug: string
  title: string
  lead: string
  /** In the little Markdown of `prose-blocks.ts`; `{server}` is the address of the service. */
  text: string
}
