import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** What the proxy does with what passes: hand on; hand on requests and cut before the answer; refuse everything. */
export type ProxyMode = 'pass' | 'cutAnswers' | 'refuse'

/** A TCP proxy in front of a database, to lose answers that were already given. */
export async function tcpProxy(target: URL) {
  let mode: ProxyMode = 'pass'
  /** ms that each answer takes longer. */
  let wait = 0
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    if (mode === 'refuse') return void client.destroy()
    const upstream = connect(Number(target.port), target.hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
      socket.on('error', () => {})
    }
    client.on('data', (data) => upstream.write(data))
    client.on('close', () => upstream.end())
    upstream.on('close', () => client.destroy())
    upstream.on('data', (data) => {
      if (mode === 'cutAnswers') {
        client.destroy()
        return
      }
      if (wait === 0) client.write(data)
      else setTimeout(() => client.write(data), wait)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const url = new URL(target)
  url.port = String((server.address() as AddressInfo).port)
  url.hostname = '127.0.0.1'
  const cutAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: url.toString(),
    set: (next: ProxyMode) => {
      mode = next
      if (next === 'refuse') cutAll()
    },
    delay: (ms: number) => {
      wait = ms
    },
    cut: cutAll,
    close: async () => {
      cutAll()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
