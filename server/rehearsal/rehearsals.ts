import {
  PRICE_OPTIONS,
  type Rehearsal,
  type RehearsalResult,
  type RehearsalSum,
  rehearsalSchema,
  type StartRehearsal,
  type UserSum,
} from "@tollgate/contract/management/price-draft";
import { LOG_CONSUME } from "@tollgate/contract/values/statuses";
import type { PriceDraftChanges, PriceDraftQueries } from "@tollgate/storage/accounts/site-ports";
import { StorageConflict } from "@tollgate/storage/errors";
import { HOUR_SECONDS, hourOf } from "@tollgate/storage/log/hours";
import type { LogQueries } from "@tollgate/storage/log/ports";
import { Failure } from "../management-api/failure";
import type { Options } from "../state/options";
import { readChanges, textsWith } from "./draft-changes";
import { type RehearsalThread, startRehearsalThread } from "./rehearsal-thread";
import type { RehearsedLines } from "./rehearse-lines";

export interface RehearsalTools {
  read: { priceDrafts: PriceDraftQueries } & Pick<LogQueries, "pricedLines" | "usage">;
  write: PriceDraftChanges;
  options: Options;
  /** The built script of the thread. */
  workerPath: string | URL;
  /** A user's name now; undefined for one that is gone. */
  nameOf(userId: number): string | undefined;
  reportError(error: Error): void;
  /** Unix seconds. */
  now(): number;
}

/** A rehearsal without a sign of life for this long has ended with its process. */
const SILENT_SECONDS = 30;
/** Interval for storing the progress. */
const NOTE_MS = 500;
/** Approximate number of lines per query. */
const LINES_A_PART = 200_000;
const MAX_HOURS_A_PART = 24 * 31;
/** Maximum number of users and models named in a result; the others are one sum. */
const MAX_USERS = 1000;
const MAX_NAMES = 2000;
/** Maximum number of restarts when lines were deleted or written meanwhile. */
const MAX_TRIES = 3;
const LONGEST_SECONDS = 5 * 366 * 86_400;

/** A person has cancelled it, or the server stops. */
class Cancelled extends Error {}

const bySize = (one: RehearsalSum, other: RehearsalSum): number =>
  Math.abs(other.rehearsed - other.charged) - Math.abs(one.rehearsed - one.charged) ||
  other.charged - one.charged;

const NOTHING: RehearsalSum = {
  ...{ lines: 0, charged: 0, rehearsed: 0, cost_thousandths: 0 },
  ...{ costed_lines: 0, costed_charged: 0, costed_rehearsed: 0 },
};

const addUp = (sums: readonly RehearsalSum[]): RehearsalSum =>
  sums.reduce(
    (sum, each) => ({
      lines: sum.lines + each.lines,
      charged: sum.charged + each.charged,
      rehearsed: sum.rehearsed + each.rehearsed,
      cost_thousandths: sum.cost_thousandths + each.cost_thousandths,
      costed_lines: sum.costed_lines + each.costed_lines,
      costed_charged: sum.costed_charged + each.costed_charged,
      costed_rehearsed: sum.costed_rehearsed + each.costed_rehearsed,
    }),
    NOTHING,
  );

/** The log's totals of a range, before and after its lines are read. */
interface LogTotal {
  /** Time of the first lines. */
  from: number;
  lines: number;
  quota: number;
}

/** Runs drafts of prices over the lines of the log: one at a time, beside everything else. */
export class Rehearsals {
  private running: { id: number; done: Promise<void> } | undefined;
  private isStopping = false;

  constructor(private readonly tools: RehearsalTools) {}

  /** Starts a rehearsal. @throws Failure while another one runs, and for an invalid range. */
  async start(id: number, { from, to, as_of }: StartRehearsal): Promise<Rehearsal> {
    const { read, write, options, now } = this.tools;
    if (from < 0 || to <= from || to - from > LONGEST_SECONDS) throw new Failure("rehearsal-time-invalid");
    const draft = await read.priceDrafts.find(id);
    if (!draft) throw new Failure("price-draft-missing");
    const changed = textsWith(readChanges(draft.changes), (key) => options.text(key));
    const texts = Object.fromEntries(
      PRICE_OPTIONS.map((key) => [key, changed.get(key) ?? options.text(key)]),
    );
    if (this.running || this.isStopping) throw new Failure("rehearsal-busy");
    const begun: Rehearsal = {
      ...{ state: "running", from, to: Math.min(to, now() + 1), lines: 0, total: 0 },
      ...{ started_at: now(), seen_at: now() },
    };
    // Set before the first await, so that simultaneous calls start only one.
    let finish = (): void => {};
    const done = new Promise<void>((resolve) => {
      finish = resolve;
    });
    this.running = { id, done };
    const end = (): void => {
      this.running = undefined;
      finish();
    };
    try {
      const isBegun = await write.beginRehearsal(id, JSON.stringify(begun), now(), now() - SILENT_SECONDS);
      if (!isBegun) throw new Failure("rehearsal-busy");
    } catch (error) {
      end();
      throw error instanceof StorageConflict ? new Failure("price-draft-missing") : error;
    }
    const about = { revision: draft.revision, version: options.priceVersion, asOf: as_of };
    void this.run(id, begun, texts, about).then(end, (error: unknown) => {
      end();
      this.tools.reportError(error instanceof Error ? error : new Error(String(error)));
    });
    return begun;
  }

  /** The last one of a draft; undefined before the first one. */
  async find(id: number): Promise<Rehearsal | undefined> {
    const record = await this.tools.read.priceDrafts.rehearsal(id);
    if (!record) return undefined;
    const read = rehearsalSchema.safeParse(JSON.parse(record.text));
    if (!read.success) return undefined;
    const isSilent = record.seenAt < this.tools.now() - SILENT_SECONDS;
    if (record.state === "running" && isSilent)
      return { ...read.data, state: "failed", reason: "interrupted" };
    return record.state === "cancelled" ? { ...read.data, state: "cancelled" } : read.data;
  }

  /** @throws Failure where none runs. */
  async cancel(id: number): Promise<void> {
    if (!(await this.tools.write.cancelRehearsal(id))) throw new Failure("rehearsal-not-running");
  }

  /** Stops the running rehearsal. */
  async stop(): Promise<void> {
    this.isStopping = true;
    await this.running?.done;
  }

  private async run(
    id: number,
    begun: Rehearsal,
    texts: Record<string, string>,
    about: { revision: number; version: number; asOf: number | undefined },
  ): Promise<void> {
    const { now, write } = this.tools;
    const note = (noted: Rehearsal): Promise<boolean> =>
      write.noteRehearsal(id, noted.state, JSON.stringify({ ...noted, seen_at: now() }), now());
    try {
      const result = await this.rehearse(begun, texts, about, note);
      await note({
        ...begun,
        ...{ state: "done", lines: result.total.lines, total: result.total.lines, result },
      });
    } catch (error) {
      if (error instanceof Cancelled) {
        if (this.isStopping) await note({ ...begun, state: "failed", reason: "interrupted" });
        return;
      }
      await note({ ...begun, state: "failed", reason: error instanceof Failure ? error.key : "internal" });
      if (!(error instanceof Failure)) throw error;
    }
  }

  private async rehearse(
    begun: Rehearsal,
    texts: Record<string, string>,
    { revision, version, asOf }: { revision: number; version: number; asOf: number | undefined },
    note: (noted: Rehearsal) => Promise<boolean>,
  ): Promise<RehearsalResult> {
    const startedAt = performance.now();
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const before = await this.logTotal(begun.from, begun.to);
      const range = { from: before.from, to: begun.to, asOf };
      const shapes = await this.tools.read.pricedLines.shapes();
      const thread = startRehearsalThread(this.tools.workerPath, {
        texts,
        shapes: shapes.map(({ id, text }) => [id, text] as const),
        range,
      });
      try {
        await this.readAll(thread, range, (lines) => note({ ...begun, lines, total: before.lines }));
        const rehearsed = await thread.read();
        const after = await this.logTotal(begun.from, begun.to);
        // Lines were added or deleted: those read may mix both states.
        if (after.from !== before.from || after.lines !== before.lines || after.quota !== before.quota)
          continue;
        const about = { range, asOf, revision, version, ms: Math.ceil(performance.now() - startedAt) };
        return this.resultOf(rehearsed, before, about);
      } finally {
        await thread.end();
      }
    }
    throw new Failure("rehearsal-log-changes");
  }

  private async logTotal(from: number, to: number): Promise<LogTotal> {
    const { read, now } = this.tools;
    const lines = await read.pricedLines.lines(from, to);
    const filter = { type: LOG_CONSUME, startTimestamp: lines.from, endTimestamp: to - 1 };
    return { ...lines, quota: lines.from < to ? await read.usage.consumedQuota(filter, now()) : 0 };
  }

  /** Sends all lines to the thread, some hours at a time; queries the next while it reads the last. */
  private async readAll(
    thread: RehearsalThread,
    { from, to }: { from: number; to: number },
    note: (lines: number) => Promise<boolean>,
  ): Promise<void> {
    let hours = 1;
    let reading: Promise<number> | undefined;
    let notedAt = performance.now();
    const noteSometimes = async (lines: number): Promise<void> => {
      if (this.isStopping) throw new Cancelled();
      if (performance.now() - notedAt < NOTE_MS) return;
      notedAt = performance.now();
      if (!(await note(lines))) throw new Cancelled();
    };
    for (let hour = hourOf(from); hour < to; ) {
      const end = Math.min(hour + hours * HOUR_SECONDS, to);
      const parts = await this.tools.read.pricedLines.part(hour, end);
      const lines = parts.reduce((sum, part) => sum + part.lines, 0);
      const read = await reading;
      await noteSometimes(read ?? 0);
      reading = parts.length === 0 ? undefined : thread.add(parts);
      // A failure here is reported where the promise is awaited.
      reading?.catch(() => {});
      hour = end;
      if (lines * 2 < LINES_A_PART) hours = Math.min(hours * 2, MAX_HOURS_A_PART);
      else if (lines > LINES_A_PART) hours = Math.max(1, Math.floor(hours / 2));
    }
    await reading;
    await note((await reading) ?? 0).then((isRunning) => {
      if (!isRunning) throw new Cancelled();
    });
  }

  private resultOf(
    rehearsed: RehearsedLines,
    log: LogTotal,
    about: {
      range: { from: number; to: number };
      asOf: number | undefined;
      revision: number;
      version: number;
      ms: number;
    },
  ): RehearsalResult {
    const { total, kept } = rehearsed;
    // For these the log has only the charge.
    const unrecorded = { lines: log.lines - total.lines, quota: log.quota - total.charged };
    const users = rehearsed.users.sort(bySize);
    const named = users
      .slice(0, MAX_USERS)
      .map((user): UserSum => ({ ...user, name: this.tools.nameOf(user.id) ?? "" }));
    const others = users.slice(MAX_USERS);
    return {
      from: about.range.from,
      to: about.range.to,
      ...(about.asOf === undefined ? {} : { as_of: about.asOf }),
      price_version: about.version,
      revision: about.revision,
      total: {
        ...total,
        lines: log.lines,
        charged: log.quota,
        rehearsed: Math.min(Number.MAX_SAFE_INTEGER, total.rehearsed + unrecorded.quota),
      },
      models: rehearsed.models.sort(bySize).slice(0, MAX_NAMES),
      groups: rehearsed.groups.sort(bySize).slice(0, MAX_NAMES),
      users: named,
      other_users: { count: others.length, ...addUp(others) },
      kept: { unrecorded, ...kept },
      is_overflowing: rehearsed.isOverflowing,
      ms: about.ms,
      finished_at: this.tools.now(),
    };
  }
}
