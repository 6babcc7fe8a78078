/** What stops a command, said to the person at the terminal: printed without a stack, exit code 1. */
export class CommandProblem extends Error {
  override readonly name = 'CommandProblem'
}

/** A fault in a file, with where it is, so that it can be found in an editor. */
export class FileProblem extends CommandProblem {
  constructor(
    readonly file: string,
    /** Line of the file from 1; null when it is the file as a whole. */
    readonly line: number | null,
    readonly column: string | null,
    readonly fault: string,
  ) {
    const where = [file, line === null ? null : `line ${line}`, column === null ? null : `column ${column}`]
    super(`${where.filter((part) => part !== null).join(', ')}: ${fault}`)
  }
}
