import { exactTime, fromNow } from '../format.ts'

/** A moment as people say it, exact on hover and for machines. */
export const Time = ({ at, className = '' }: { at: string; className?: string }) => (
  <time dateTime={at} title={exactTime(at)} className={`whitespace-nowrap ${className}`}>
    {fromNow(at)}
  </time>
)

/** The same in a column of that name, which a phone does not show. */
export const Expires = ({ at }: { at: string }) => (
  <span className="whitespace-nowrap">
    <span className="md:hidden">expires </span>
    <Time at={at} />
  </span>
)
