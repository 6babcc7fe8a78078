/** The terms of semantics.md in two lines each; checked against its §9, popular claims that are wrong. */
export const TERMS = {
  watermark:
    'The time up to which nothing more is expected. It follows the newest order of each source, never goes back, and the slowest active source decides.',
  allowedLateness:
    'How long after a window completed late orders still correct it. It does not delay the first result.',
  outOfOrderness:
    'How much a source may mix up its order of time. The watermark stays this far behind its newest order.',
  idle: 'A source that sent nothing for its idle timeout. The others no longer wait for it; windows that complete meanwhile say so.',
  lateStore:
    'Orders that came after their window was closed. They are in no figure; they are kept here with the window that they missed.',
  window: 'A span of event time, start included, end not. It completes when the watermark passes its end.',
  layers:
    'In time: the watermark waited for it. Corrected: it came after its window completed. Late: its window was closed.',
  correction:
    'A late order changed a window that was already complete. The window got a new revision; both values are kept.',
  quarantine:
    'Events that failed their check. They are kept as they came, count nowhere and move no watermark.',
  resendsHistory:
    'More than half of its last 200 orders are a day and more behind what it had sent before. They move no watermark; stop the producer if this is not meant.',
  inactivity:
    'Nobody sent anything for so long that the window was closed as it stood. The watermark has not reached its end, so what still comes corrects it.',
  liveIds:
    'Event ids of windows that are not closed yet: a repeat of one is known as a duplicate. At the limit new orders are answered with 503 until windows close; nothing is lost.',
  state: 'What the engine holds in memory, measured. It is given back as windows close.',
  duplicate: 'An event id that this source sent before. It counts once, whatever the repeat says.',
} as const
