/** Canonical text of a row's key, as it stands in the primary key: the JSON array of currency and dimensions. */
export function keyText(currency: string, dims: readonly (string | null)[]): string {
  return JSON.stringify([currency, ...dims])
}
