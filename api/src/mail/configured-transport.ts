import type { Parts } from '../call.ts'
import { putInMailbox } from './mailbox.ts'
import { mailboxTransport, smtpTransport, type Transport } from './transport.ts'

/** A mail server where one is configured; else the mailbox of development. */
export const transportOf = (parts: Parts): Transport =>
  parts.config.smtpUrl
    ? smtpTransport({ ...parts.config, smtpUrl: parts.config.smtpUrl })
    : mailboxTransport((to, mail) => putInMailbox(parts, to, mail))
