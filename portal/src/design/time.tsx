import { exactTime, fromNow } from '../format.ts'

/** A moment as people say it, exact on hover and for machines. */
export const Time = ({ at, className = '' }: { at: string; className?: string }) => (
  <time dateTime={at} title={exactTime(at)} className={`whitespace-nowrap ${className}`}>
    {fromNow(at)}
  </time>
)
