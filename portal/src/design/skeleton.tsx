/** What is on its way, in the shape it will have. */
export const Skeleton = ({ className = 'h-4 w-full' }: { className?: string }) => (
  <span className={`block animate-pulse rounded-small bg-sunken ${className}`} />
)

/** The same where nothing frames the page yet. */
export const SkeletonFrame = () => (
  <div className="mx-auto max-w-6xl px-4 py-8 sm:px-6">
    <SkeletonPage />
  </div>
)

export const SkeletonPage = () => (
  <div className="grid gap-6" role="status">
    <span className="sr-only">Loading…</span>
    <Skeleton className="h-8 w-56" />
    <div className="card grid gap-4 p-5">
      {['w-1/3', 'w-2/3', 'w-1/2', 'w-3/5'].map((width) => (
        <Skeleton key={width} className={`h-4 ${width}`} />
      ))}
    </div>
  </div>
)
