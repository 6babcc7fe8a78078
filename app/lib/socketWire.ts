import { io, type Socket } from 'socket.io-client'
import type { ClientToServer, LIVE_NAMESPACE, ServerToClient } from '@/server/contracts/liveMessage'
import type { Surroundings, Wire } from './live'

/** Written out so that zod stays out of the bundle; the type is the contract's, so they cannot part ways. */
const NAMESPACE: typeof LIVE_NAMESPACE = '/live'

/** The real socket. It reconnects by itself, except when the server hangs up: then we call again. */
export function socketWire(): Wire {
  let socket: Socket<ServerToClient, ClientToServer> | null = null
  return {
    subscribe: (message) => socket?.emit('subscribe', message),
    open(handlers) {
      const opened: Socket<ServerToClient, ClientToServer> = io(NAMESPACE, {
        transports: ['websocket', 'polling'],
        tryAllTransports: true,
        reconnectionDelayMax: 5_000,
      })
      socket = opened
      opened.on('connect', handlers.connected)
      opened.on('disconnect', (reason) => {
        handlers.disconnected()
        if (reason === 'io server disconnect') setTimeout(() => socket === opened && opened.connect(), 1_000)
      })
      opened.on('snapshot', handlers.snapshot)
      opened.on('delta', handlers.delta)
      opened.on('resync', handlers.resync)
      opened.on('corrections', handlers.corrections)
      opened.on('health', handlers.health)
    },
    close() {
      socket?.removeAllListeners()
      socket?.disconnect()
      socket = null
    },
  }
}

export const browser: Surroundings = {
  now: () => Date.now(),
  later(ms, run) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
  hidden: () => document.visibilityState === 'hidden',
}
