import { LOG_CONSUME } from "@tollgate/contract/values/statuses";
import type { Connection } from "../../sqlite/connection";
import { dayOf, hourOf } from "../hours";
import { NO_MODEL } from "./line-writer";
import { hasSubject, type ResolvedFilter, siteTable, subjectConditions } from "./resolve-filter";

/** An hour in which there are lines, as the sums know. */
export interface LineHour {
  hour: number;
  lines: number;
}

function* siteHours(connection: Connection, resolved: ResolvedFilter, more: string): Generator<LineHour> {
  const subject = subjectConditions(resolved);
  const hasModel = resolved.modelId !== undefined || more !== "";
  const table = siteTable(hasModel, resolved.channelId !== undefined);
  const rows = connection
    .prepare(
      `SELECT hour, sum(lines) AS lines FROM ${table} WHERE hour >= ? AND hour <= ?${subject.sql}${more}
       GROUP BY hour ORDER BY hour DESC`,
    )
    .iterate(hourOf(resolved.from), resolved.to, ...subject.parameters);
  for (const row of rows) yield row as LineHour;
}

function* payerHours(
  connection: Connection,
  resolved: ResolvedFilter,
  payerIds: number[],
): Generator<LineHour> {
  const subject = subjectConditions(resolved);
  const table = hasSubject(resolved) ? "detail_hours" : "payer_hours";
  const bounds = connection
    .prepare("SELECT (SELECT min(day) FROM payer_hours) AS first, (SELECT max(day) FROM payer_hours) AS last")
    .get() as { first: number | null; last: number | null };
  if (bounds.first === null || bounds.last === null) return;
  const select = connection.prepare(
    `SELECT hour, sum(lines) AS lines FROM ${table}
     WHERE day = ? AND payer_id IN (SELECT value FROM json_each(?)) AND hour >= ? AND hour <= ?${subject.sql}
     GROUP BY hour ORDER BY hour DESC`,
  );
  const payers = JSON.stringify(payerIds);
  const first = Math.max(bounds.first, dayOf(resolved.from));
  for (let day = Math.min(bounds.last, dayOf(resolved.to)); day >= first; day -= 1) {
    yield* select.all(day, payers, hourOf(resolved.from), resolved.to, ...subject.parameters) as LineHour[];
  }
}

/** Hours that hold lines which the filter leaves, the newest first. */
export const lineHours = (connection: Connection, resolved: ResolvedFilter): Iterable<LineHour> => {
  const more = resolved.type === LOG_CONSUME ? ` AND model_id <> ${NO_MODEL}` : "";
  return resolved.payerIds === undefined
    ? siteHours(connection, resolved, more)
    : payerHours(connection, resolved, resolved.payerIds);
};
