/** What a command changed, in words; or why it was refused. */
export type Done = { readonly changes: readonly string[] } | { readonly refused: string }

/** What a definition is refused for, field by field. */
export function inWords(error: {
  readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[]
}): string {
  return error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')
}
