import { Skeleton } from '@/app/ui/skeleton'

/** The page in outline, at its size. */
export function ConsoleLoading() {
  return (
    <div role="status" className="mx-auto grid max-w-[1360px] gap-4 px-4 py-4">
      <span className="sr-only">Loading the console</span>
      <Skeleton className="h-12 w-full max-w-xl" />
      <Skeleton className="h-64 w-full" />
      <Skeleton className="h-40 w-full" />
    </div>
  )
}
