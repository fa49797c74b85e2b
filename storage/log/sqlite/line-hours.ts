import { LOG_CONSUME } from "@tollgate/contract/values/statuses";
import type { Connection } from "../../sqlite/connection";
import { dayOf, hourOf } from "../hours";
import { NO_MODEL } from "./line-writer";
import { hasSubject, type Narrowed, siteTable, subjectConditions } from "./resolve-filter";

/** An hour in which there are lines, as the sums know. */
export interface LineHour {
  hour: number;
  lines: number;
}

function* siteHours(connection: Connection, narrowed: Narrowed, more: string): Generator<LineHour> {
  const subject = subjectConditions(narrowed);
  const hasModel = narrowed.modelId !== undefined || more !== "";
  const table = siteTable(hasModel, narrowed.channelId !== undefined);
  const rows = connection
    .prepare(
      `SELECT hour, sum(lines) AS lines FROM ${table} WHERE hour >= ? AND hour <= ?${subject.sql}${more}
       GROUP BY hour ORDER BY hour DESC`,
    )
    .iterate(hourOf(narrowed.from), narrowed.to, ...subject.parameters);
  for (const row of rows) yield row as LineHour;
}

function* payerHours(connection: Connection, narrowed: Narrowed, payerIds: number[]): Generator<LineHour> {
  const subject = subjectConditions(narrowed);
  const table = hasSubject(narrowed) ? "detail_hours" : "payer_hours";
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
  const first = Math.max(bounds.first, dayOf(narrowed.from));
  for (let day = Math.min(bounds.last, dayOf(narrowed.to)); day >= first; day -= 1) {
    yield* select.all(day, payers, hourOf(narrowed.from), narrowed.to, ...subject.parameters) as LineHour[];
  }
}

/** Hours that hold lines which the filter leaves, the newest first. */
export const lineHours = (connection: Connection, narrowed: Narrowed): Iterable<LineHour> => {
  const more = narrowed.type === LOG_CONSUME ? ` AND model_id <> ${NO_MODEL}` : "";
  return narrowed.payerIds === undefined
    ? siteHours(connection, narrowed, more)
    : payerHours(connection, narrowed, narrowed.payerIds);
};
