import { randomInt } from 'node:crypto'
import type { Handler } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { DEVICE_LOGIN_SECONDS, POLL_SECONDS, shownUserCode, USER_CODE_ALPHABET, USER_CODE_LENGTH } from '../../domain/device-login.ts'
import { digest, newToken } from '../../vault/tokens.ts'

export const startDeviceLogin: Handler<'startDeviceLogin'> = async ({ parts, origin, body }) => {
  const deviceCode = newToken()
  const userCode = shownUserCode(await insertDeviceLogin())
  const verificationUri = `${parts.config.publicUrl}/device`
  return {
    deviceCode,
    userCode,
    verificationUri,
    verificationUriComplete: `${verificationUri}?code=${userCode}`,
    expiresIn: DEVICE_LOGIN_SECONDS,
    interval: POLL_SECONDS,
  }

  /** A code that someone else is typing just now is never handed out twice. */
  async function insertDeviceLogin(): Promise<string> {
    const code = Array.from({ length: USER_CODE_LENGTH }, () => USER_CODE_ALPHABET[randomInt(USER_CODE_ALPHABET.length)]).join('')
    const [made] = await parts.db.query(sql`
      insert into device_logins (device_code_hash, user_code, client_name, ip, user_agent, interval_seconds, expires_at)
      values (${digest(deviceCode)}, ${code}, ${body.clientName}, ${origin.ip}, ${origin.userAgent}, ${POLL_SECONDS},
        now() + make_interval(secs => ${DEVICE_LOGIN_SECONDS}))
      on conflict (user_code) do nothing returning user_code`)
    return made ? code : insertDeviceLogin()
  }
}
