import Link from 'next/link'

export default function NotFound() {
  return (
    <main id="main" className="mx-auto max-w-[1360px] px-4 py-12">
      <h1 className="font-semibold text-lg">There is no page here.</h1>
      <p className="text-ink-2">
        The figures are on the{' '}
        <Link href="/" className="text-accent hover:underline">
          dashboard
        </Link>
        , the pipeline is on the{' '}
        <Link href="/console" className="text-accent hover:underline">
          console
        </Link>
        .
      </p>
    </main>
  )
}
