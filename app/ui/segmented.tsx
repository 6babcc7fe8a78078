'use client'

interface SegmentedProps<T extends string> {
  readonly label: string
  readonly choices: readonly T[]
  readonly value: T
  readonly onChange: (next: T) => void
}

/** A few exclusive choices, all in view. Pressed buttons rather than radios: each takes effect at once. */
export function Segmented<T extends string>({ label, choices, value, onChange }: SegmentedProps<T>) {
  return (
    <fieldset className="flex rounded-md border border-line p-0.5">
      <legend className="sr-only">{label}</legend>
      {choices.map((choice) => (
        <button
          key={choice}
          type="button"
          aria-pressed={choice === value}
          onClick={() => onChange(choice)}
          className="rounded px-2 text-ink-2 text-sm leading-5 hover:text-ink aria-pressed:bg-line aria-pressed:font-medium aria-pressed:text-ink"
        >
          {choice}
        </button>
      ))}
    </fieldset>
  )
}
