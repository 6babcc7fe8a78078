import { Skeleton } from '@/app/ui/skeleton'

/** The page in outline, at its size. */
export function DashboardLoading() {
  return (
    <div role="status" className="mx-auto grid max-w-[1360px] gap-4 px-4 py-4">
      <span className="sr-only">Loading the dashboard</span>
      <Skeleton className="h-5 w-full max-w-xl" />
      <Skeleton className="h-32 w-full" />
      <Skeleton className="h-96 w-full" />
    </div>
  )
}
