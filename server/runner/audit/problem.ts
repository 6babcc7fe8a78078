/** Why an audit could not be made, and what to do about it. */
export class AuditProblem extends Error {
  override readonly name = 'AuditProblem'
}
