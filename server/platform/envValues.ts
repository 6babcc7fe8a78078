import ms from 'ms'
import { z } from 'zod'

/** A duration with its unit (`30d`, `36h`), of at least an hour, as ms. */
export const KeepFor = z
  .string()
  .regex(/^\d+(\.\d+)?\s?[a-z]+$/i)
  .max(32)
  .transform((text) => ms(text as ms.StringValue))
  .refine((value) => Number.isSafeInteger(value) && value >= 3_600_000)

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  TiB: 2 ** 40,
}

/** A number of bytes, or of KiB, MiB, GiB or TiB (`1073741824`, `20GiB`), more than 0. */
export const Bytes = z
  .string()
  .regex(/^\d{1,15}\s?([KMGT]iB)?$/)
  .transform((text) => Number.parseInt(text, 10) * (UNITS[text.replace(/[\d\s]/g, '')] ?? Number.NaN))
  .refine((value) => Number.isSafeInteger(value) && value > 0)
