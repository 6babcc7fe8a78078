/**
 * What a vector asks for and Tidemark has not, or has otherwise on purpose. The message is the reason that its line
 * shows behind `skip`.
 */
export class NotOurs extends Error {}

/** A definition that our own check refuses. */
export class Refused extends NotOurs {}
