import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from './design/button.tsx'

type OlderPage<Row> = { rows: Row[]; nextCursor?: string | undefined }

/** What a list has left out, page after page, for those who ask for it. `first`: where it goes on; undefined: it is whole. */
export function useOlder<Row>(key: readonly unknown[], first: string | undefined, read: (cursor: string) => Promise<OlderPage<Row>>) {
  const [asked, setAsked] = useState(false)
  const query = useInfiniteQuery({
    queryKey: [...key, 'older', first],
    queryFn: ({ pageParam }) => read(pageParam),
    initialPageParam: first ?? '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    enabled: asked && first !== undefined,
  })
  const rows = first === undefined ? [] : (query.data?.pages.flatMap((page) => page.rows) ?? [])
  return {
    rows,
    left: first !== undefined && (query.data ? query.hasNextPage : true),
    busy: query.isFetching,
    show: () => void (query.data ? query.fetchNextPage() : asked ? query.refetch() : setAsked(true)),
  }
}

type LeftOutProps = { older: { left: boolean; busy: boolean; show: () => void } /** `keys` */; of: string; onShow?: () => void }

export function LeftOut({ older, of, onShow }: LeftOutProps) {
  if (!older.left) return null
  const show = () => {
    onShow?.()
    older.show()
  }
  return (
    <div className="flex flex-wrap items-center gap-x-3 border-line border-t px-5 py-1.5 text-faint text-small" role="status">
      Older {of} that have ended are left out.
      <Button look="quiet" size="small" busy={older.busy} onClick={show}>
        Show older {of}
      </Button>
    </div>
  )
}
