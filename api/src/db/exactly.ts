import { type Fragment, sql } from './sql.ts'

/**
 * A moment to the microsecond, which a Date does not know, as a text to compare with: no other holder of a lease has the same.
 * It depends on no setting of the connection, so that several servers may answer it behind `returning`.
 */
export const exactly = (moment: Fragment): Fragment => sql`extract(epoch from ${moment} at time zone 'utc')::text`
