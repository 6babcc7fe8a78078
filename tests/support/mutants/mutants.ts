import ts from 'typescript'

/** One small fault: a stretch of a file and what stands there instead. */
export interface Mutant {
  readonly file: string
  readonly from: number
  readonly to: number
  readonly replacement: string
  /** The line as it reads with the fault, and its number. */
  readonly line: number
  readonly reads: string
  /** Name of the function that it is in. */
  readonly within: string
}

const BOUNDARIES: Partial<Record<ts.SyntaxKind, string>> = {
  [ts.SyntaxKind.LessThanToken]: '<=',
  [ts.SyntaxKind.LessThanEqualsToken]: '<',
  [ts.SyntaxKind.GreaterThanToken]: '>=',
  [ts.SyntaxKind.GreaterThanEqualsToken]: '>',
}

const EXTREMES: Readonly<Record<string, string>> = { 'Math.min': 'Math.max', 'Math.max': 'Math.min' }

/**
 * The faults that event time is lost by, one each: `<` for `<=`, a 1 forgotten, the minimum for the maximum, a guard
 * left out. `source` is the text of `file`.
 */
export function mutantsOf(file: string, source: string): Mutant[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true)
  const mutants: Mutant[] = []
  const add = (node: ts.Node, replacement: string) =>
    mutants.push(
      toMutant(file, source, node.getStart(tree), node.getEnd(), replacement, functionOf(node, tree)),
    )
  const visit = (node: ts.Node): void => {
    if (ts.isBinaryExpression(node)) mutateBinary(node, tree, add)
    if (ts.isCallExpression(node)) {
      const other = EXTREMES[node.expression.getText(tree)]
      if (other) add(node.expression, other)
    }
    if (ts.isIfStatement(node) && leaves(node.thenStatement) && !node.elseStatement)
      add(node.expression, `false /* ${node.expression.getText(tree)} */`)
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return mutants
}

function mutateBinary(
  node: ts.BinaryExpression,
  tree: ts.SourceFile,
  add: (node: ts.Node, replacement: string) => void,
): void {
  const boundary = BOUNDARIES[node.operatorToken.kind]
  if (boundary) add(node.operatorToken, boundary)
  const sign = node.operatorToken.kind
  const isSum = sign === ts.SyntaxKind.PlusToken || sign === ts.SyntaxKind.MinusToken
  if (isSum && node.right.getText(tree) === '1') add(node, node.left.getText(tree))
}

/** A statement that only goes away: what stands before it is a guard. */
function leaves(statement: ts.Statement): boolean {
  if (ts.isBlock(statement))
    return statement.statements.length === 1 && leaves(statement.statements[0] ?? statement)
  return (
    ts.isReturnStatement(statement) || ts.isContinueStatement(statement) || ts.isBreakStatement(statement)
  )
}

function functionOf(node: ts.Node, tree: ts.SourceFile): string {
  for (let at: ts.Node | undefined = node; at; at = at.parent) {
    if ((ts.isMethodDeclaration(at) || ts.isFunctionDeclaration(at) || ts.isAccessor(at)) && at.name)
      return at.name.getText(tree)
  }
  return ''
}

function toMutant(
  file: string,
  source: string,
  from: number,
  to: number,
  replacement: string,
  within: string,
): Mutant {
  const mutated = source.slice(0, from) + replacement + source.slice(to)
  const start = mutated.lastIndexOf('\n', from - 1) + 1
  const end = mutated.indexOf('\n', from)
  const reads = mutated.slice(start, end < 0 ? undefined : end).trim()
  return { file, from, to, replacement, line: source.slice(0, from).split('\n').length, reads, within }
}

export function applied(mutant: Mutant, source: string): string {
  return source.slice(0, mutant.from) + mutant.replacement + source.slice(mutant.to)
}
