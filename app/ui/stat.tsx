import { Changing } from './changing'
import { Skeleton } from './skeleton'
import { Term } from './term'

interface StatProps {
  readonly label: string
  readonly help: string
  readonly value: string
  /** Not final yet: the trailing "…" of the grammar of finality. */
  readonly open: boolean
  readonly detail: string
  readonly className?: string
}

/** A number first, its finality second, its explanation one click away. */
export function Stat({ label, help, value, open, detail, className = '' }: StatProps) {
  return (
    <div className={`flex min-w-0 flex-col px-4 py-3 ${className}`}>
      <dt className="text-ink-2 text-sm">
        <Term help={help}>{label}</Term>
      </dt>
      <dd className="flex flex-col">
        <span className="whitespace-nowrap font-semibold text-figure tracking-tight">
          <Changing text={value} />
          {open ? <span className="font-normal text-ink-3">…</span> : null}
        </span>
        <span className="text-ink-3 text-xs">{detail}</span>
      </dd>
    </div>
  )
}

export function StatSkeleton({ className = '' }: { readonly className?: string }) {
  return (
    <div className={`flex flex-col px-4 py-3 ${className}`}>
      <Skeleton className="h-4 w-20" />
      <Skeleton className="mt-2 mb-1 h-6 w-32" />
      <Skeleton className="h-3 w-24" />
    </div>
  )
}
