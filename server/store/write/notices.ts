import type { Notice } from '../../contracts/notice'
import { type Transaction, writeRows } from './rows'

const INSERT = `
  INSERT INTO notice (position, index, kind, subject, at)
  SELECT position, index, kind, subject, at
  FROM json_to_recordset($1::json) AS r(position bigint, index int, kind text, subject text, at bigint)`

/** Notices of one flush; those of one record stand together, in their order. */
export function insertNotices(tx: Transaction, notices: readonly Notice[]): Promise<void> {
  let index = 0
  const rows = notices.map((notice, i) => {
    index = notices[i - 1]?.position === notice.position ? index + 1 : 0
    return { ...notice, index }
  })
  return writeRows(tx, INSERT, rows)
}
