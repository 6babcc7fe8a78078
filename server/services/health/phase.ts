/** What the server is doing, in the order of a life. Only a `running` one can be ready. */
export type Phase = 'starting' | 'migrating' | 'recovering' | 'standby' | 'running' | 'stopping'

/** Each in words for who hosts it. */
export const PHASE_SAYS: Readonly<Record<Exclude<Phase, 'running'>, string>> = {
  starting: 'Tidemark is starting its database and itself.',
  migrating:
    'Tidemark is migrating the schema of its database. Do not end it now: a migration that is cut off has to be resolved by hand.',
  recovering: 'Tidemark is reading the journal back; orders are taken when that is done.',
  standby: 'Another Tidemark leads on this database; this one serves pages and waits for its turn.',
  stopping: 'Tidemark is stopping: what was acknowledged is written, nothing new is taken.',
}
