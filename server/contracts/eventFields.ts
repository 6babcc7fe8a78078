/** Our fields of an event (design.md §3). */
export const EVENT_FIELDS = [
  'eventId',
  'orderId',
  'type',
  'amount',
  'currency',
  'eventTime',
  'userId',
  'dimensions',
] as const
export type EventField = (typeof EVENT_FIELDS)[number]
