import { openLease } from '@/server/store/lease'

/** The lease of a database in somebody's hands, as while a server runs on it. Returns how to let go. */
export async function holdLease(url: string): Promise<() => Promise<void>> {
  const lease = openLease(url, 'another')
  const epoch = (await lease.take({ holder: 'another', url: 'http://another' }, await lease.read())) ?? 0
  const beating = setInterval(() => void lease.beat(epoch), 500)
  return async () => {
    clearInterval(beating)
    await lease.release(epoch)
    await lease.close()
  }
}
