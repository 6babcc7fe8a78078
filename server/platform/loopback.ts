import { isIP } from 'node:net'

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i

/** Nobody but this machine reaches an address such as 127.0.0.1, ::1 or localhost. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host)
}

/**
 * Whether a request's Host header names this machine. A server that answers only here must not answer a page of
 * another site whose name was made to point here (DNS rebinding).
 */
export function namesThisMachine(hostHeader: string | undefined): boolean {
  if (hostHeader === undefined) return true
  const host = hostHeader.replace(/:\d+$/, '')
  return isLoopback(host) && (isIP(host.replace(/^\[|\]$/g, '')) > 0 || host.toLowerCase() === 'localhost')
}
