import { statfs } from 'node:fs/promises'

const MIB = 2 ** 20
const LEAST_FREE = 512 * MIB
const LEAST_SHARE = 0.02
/** Room is there again at this many times the threshold: else it would open and shut with each request. */
const GO_ON_AT = 1.5

export interface DiskRoom {
  readonly free: number
  readonly total: number
}

/** Free bytes for an ordinary user, and all bytes, of the file system that holds `folder`. */
export async function diskRoom(folder: string): Promise<DiskRoom> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { free: bavail * bsize, total: blocks * bsize }
}

/** Free bytes under which nothing more is taken: 512 MiB or 2 %, whichever is more, where no setting says. */
export function stopUnder({ total }: DiskRoom, setting: number | undefined): number {
  return setting ?? Math.max(LEAST_FREE, Math.floor(total * LEAST_SHARE))
}

/** Whether the disk counts as full; `was`: whether it did so far. */
export function isShort(room: DiskRoom, setting: number | undefined, was: boolean): boolean {
  const stop = stopUnder(room, setting)
  return room.free < (was ? stop * GO_ON_AT : stop)
}

/** Bytes for a person. */
export function inWords(bytes: number): string {
  if (bytes >= 1024 * MIB) return `${(bytes / (1024 * MIB)).toFixed(1)} GiB`
  return `${Math.floor(bytes / MIB)} MiB`
}

/** What is full and how to mend it. */
export function diskFullSays(folder: string, room: DiskRoom, setting: number | undefined): string {
  const stop = stopUnder(room, setting)
  return (
    `The disk that holds ${folder} has ${inWords(room.free)} left, and Tidemark takes no orders below ${inWords(stop)}, ` +
    `so that the database survives. Make room there, or keep less (TIDEMARK_KEEP_JOURNAL); orders are taken again ` +
    `by themselves from ${inWords(stop * GO_ON_AT)} on.`
  )
}
