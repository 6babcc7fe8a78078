/** The grammar of finality in words; the chart draws it with pattern, mark and word, never colour alone. */
export function Legend() {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1">
      <li className="flex items-center gap-1.5">
        <Swatch>
          <rect width="10" height="12" fill="var(--bar)" />
        </Swatch>
        complete
      </li>
      <li className="flex items-center gap-1.5">
        <Swatch>
          <path d="M0 8 8 0M2 12l8-8M8 12l2-2M0 3l3-3" stroke="var(--bar)" strokeOpacity="0.6" />
          <rect x="0.5" y="0.5" width="9" height="11" fill="none" stroke="var(--bar)" />
        </Swatch>
        so far …
      </li>
      <li className="flex items-center gap-1.5">
        <Swatch>
          <rect y="4" width="10" height="8" fill="var(--bar)" />
          <rect x="-1" width="12" height="3" fill="var(--notch)" />
        </Swatch>
        corrected, rev n
      </li>
      <li>a gap is a minute without orders</li>
    </ul>
  )
}

function Swatch({ children }: { readonly children: React.ReactNode }) {
  return (
    <svg width="12" height="12" viewBox="-1 0 12 12" aria-hidden="true" fill="none">
      {children}
    </svg>
  )
}
