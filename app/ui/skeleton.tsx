/** Stands where content will be, at its size, so that nothing jumps. Said once a panel to screen readers. */
export function Skeleton({ className = '' }: { readonly className?: string }) {
  return <div aria-hidden className={`skeleton ${className}`} />
}

export function SkeletonLines({ lines }: { readonly lines: number }) {
  return (
    <div role="status" className="flex flex-col gap-3 px-4 py-3">
      <span className="sr-only">Loading</span>
      {Array.from({ length: lines }, (_, i) => i).map((i) => (
        <Skeleton key={i} className={`h-4 ${i % 3 === 2 ? 'w-2/3' : 'w-full'}`} />
      ))}
    </div>
  )
}
