import type {
  ChangePriceDraft,
  NewPriceDraft,
  PriceDraft,
  PriceDraftSummary,
  PublishPriceDraft,
} from "@tollgate/contract/management/price-draft";
import type { PriceDraftRecord } from "@tollgate/contract/records/price-draft-record";
import type { PriceDraftChanges, PriceDraftQueries } from "@tollgate/storage/accounts/site-ports";
import { StorageConflict } from "@tollgate/storage/errors";
import { Failure } from "../management-api/failure";
import type { Notices } from "../notices/notices";
import type { Options } from "../state/options";
import { baseOf, conflictsOf, countChanges, readChanges, textsWith } from "./draft-changes";

/** Dependencies of price drafts. */
export interface PriceDraftTools {
  read: PriceDraftQueries;
  write: PriceDraftChanges;
  options: Options;
  notices: Pick<Notices, "raise">;
  /** Unix seconds. */
  now(): number;
}

interface Author {
  id: number;
  username: string;
}

/** Maximum time a draft may be scheduled ahead: ten years. */
const LONGEST_AHEAD = 10 * 366 * 86_400;
const MAX_DRAFTS = 200;

const asFailure = (error: unknown): unknown => {
  if (!(error instanceof StorageConflict)) return error;
  if (error.kind === "not-found") return new Failure("price-draft-missing");
  if (error.kind === "price-draft-changed") return new Failure("price-draft-changed");
  return error.kind === "prices-changed" ? new Failure("prices-changed") : error;
};

const stored = async <T>(step: Promise<T>): Promise<T> => {
  try {
    return await step;
  } catch (error) {
    throw asFailure(error);
  }
};

/**
 * Drafts of prices: made, changed, scheduled and published. A draft becomes the options at one moment, as one change of the prices, and
 * overwrites nothing that another person has changed since it was made.
 */
export class PriceDrafts {
  constructor(private readonly tools: PriceDraftTools) {}

  /** All drafts, without their changes. */
  async list(): Promise<PriceDraftSummary[]> {
    return (await this.tools.read.all()).map((record) => {
      const { changes, base: _, conflicts, ...fields } = this.wireOf(record);
      return { ...fields, change_count: countChanges(changes), conflict_count: conflicts.length };
    });
  }

  async find(id: number): Promise<PriceDraft> {
    return this.wireOf(await this.record(id));
  }

  /** @throws Failure where its changes make no prices. */
  async create({ name, changes }: NewPriceDraft, author: Author): Promise<PriceDraft> {
    const { read, write, options, now } = this.tools;
    textsWith(changes, (key) => options.text(key));
    if ((await read.all()).length >= MAX_DRAFTS) throw new Failure("price-drafts-too-many");
    const base = baseOf(changes, (key) => options.text(key));
    return this.wireOf(
      await write.create({
        name,
        authorId: author.id,
        author: author.username,
        createdAt: now(),
        changes: JSON.stringify(changes),
        base: JSON.stringify(base),
      }),
    );
  }

  /** Changes a draft. New changes are based on the current values; with `rebase` all are. @throws Failure */
  async change(id: number, { name, changes, revision, rebase }: ChangePriceDraft): Promise<PriceDraft> {
    const { write, options, now } = this.tools;
    const known = await this.record(id);
    textsWith(changes, (key) => options.text(key));
    const current = baseOf(changes, (key) => options.text(key));
    const base = rebase === true ? current : this.baseWith(known, changes, current);
    const change = { name, changes: JSON.stringify(changes), base: JSON.stringify(base) };
    return this.wireOf(await stored(write.change(id, revision, change, now())));
  }

  /** Publishes it now, or at a time to come. @throws Failure */
  async publish(id: number, { revision, holds_from }: PublishPriceDraft): Promise<PriceDraft> {
    const { write, now } = this.tools;
    const record = await this.record(id);
    this.checkPublishable(record);
    // Publishes only the revision that was read: a change made meanwhile has a new revision.
    if (record.revision !== revision) throw new Failure("price-draft-changed");
    if (holds_from !== undefined && holds_from > now() + LONGEST_AHEAD)
      throw new Failure("price-draft-date-invalid");
    if (holds_from === undefined || holds_from <= now()) {
      await this.makeHold({ ...record, revision });
      return this.find(id);
    }
    const to = { state: "scheduled", holdsFrom: holds_from, fault: "" } as const;
    return this.wireOf(await stored(write.move(id, revision, ["draft", "scheduled"], to, now())));
  }

  /** Takes a scheduled one back. @throws Failure */
  unschedule(id: number, revision: number): Promise<PriceDraft> {
    return this.move(id, revision, "scheduled", "draft");
  }

  /** Deletes one that was published or discarded. @throws Failure */
  async remove(id: number): Promise<void> {
    if (!(await this.tools.write.remove(id))) throw new Failure("price-draft-missing");
  }

  /** @throws Failure */
  discard(id: number, revision: number): Promise<PriceDraft> {
    return this.move(id, revision, "draft", "discarded");
  }

  /**
   * Publishes due drafts. One that is refused becomes a draft again, with the reason, and people are notified; one that
   * another node publishes is left alone.
   */
  async publishDue(): Promise<void> {
    const { read, write, notices, now } = this.tools;
    for (const record of await read.due(now())) {
      try {
        this.checkPublishable(record);
        await this.makeHold(record);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        // Another node has published it, or options have changed this moment: the next time it is seen as it is then.
        if (error.key === "price-draft-changed" || error.key === "prices-changed") continue;
        const to = { state: "draft", holdsFrom: 0, fault: error.key } as const;
        try {
          await write.move(record.id, record.revision, ["scheduled"], to, now());
        } catch (refused) {
          // Another node published the draft a moment ago.
          if (refused instanceof StorageConflict) continue;
          throw refused;
        }
        notices.raise({
          event: "price-draft-refused",
          subject: `${record.id} ${record.revision}`,
          params: { name: record.name, id: record.id },
        });
      }
    }
  }

  private async move(
    id: number,
    revision: number,
    from: "scheduled" | "draft",
    state: "draft" | "discarded",
  ): Promise<PriceDraft> {
    const { write, now } = this.tools;
    const to = { state, holdsFrom: 0, fault: "" };
    return this.wireOf(await stored(write.move(id, revision, [from], to, now())));
  }

  private async record(id: number): Promise<PriceDraftRecord> {
    const record = await this.tools.read.find(id);
    if (!record) throw new Failure("price-draft-missing");
    return record;
  }

  /** @throws Failure */
  private checkPublishable({ state, changes, base }: PriceDraftRecord): void {
    const { options } = this.tools;
    if (state !== "draft" && state !== "scheduled") throw new Failure("price-draft-changed");
    const read = readChanges(changes);
    const [conflict] = conflictsOf(read, readChanges(base), (key) => options.text(key));
    if (conflict) throw new Failure("price-draft-conflict", { option: conflict.option, name: conflict.name });
    textsWith(read, (key) => options.text(key));
  }

  private async makeHold({ id, revision, name, changes, base }: PriceDraftRecord): Promise<void> {
    const { write, options, notices, now } = this.tools;
    const read = readChanges(changes);
    await stored(
      options.changePrices(
        (textOf) => {
          // Checked again, while no other change is running.
          const [conflict] = conflictsOf(read, readChanges(base), textOf);
          if (conflict)
            throw new Failure("price-draft-conflict", { option: conflict.option, name: conflict.name });
          return textsWith(read, textOf);
        },
        (changed, counter) => write.publish(id, revision, changed, counter, now()),
      ),
    );
    notices.raise({
      event: "prices-changed",
      subject: options.priceVersion,
      params: { count: countChanges(read), source: name },
    });
  }

  /** Values seen at an entry's first change stay; entries new in the draft get the current ones. */
  private baseWith(
    known: PriceDraftRecord,
    changes: NewPriceDraft["changes"],
    current: NewPriceDraft["changes"],
  ): NewPriceDraft["changes"] {
    const [before, seen] = [readChanges(known.changes), readChanges(known.base)];
    return Object.fromEntries(
      Object.entries(changes).map(([key, change]) => {
        const [knew, was, is] = [before[key], seen[key], current[key]];
        if (knew === undefined) return [key, is ?? ""];
        if (typeof change === "string" || typeof knew === "string") return [key, was ?? ""];
        const [wasTable, isTable] = [new Map(Object.entries(was ?? {})), new Map(Object.entries(is ?? {}))];
        const entries = Object.keys(change).flatMap((name): [string, unknown][] => {
          const table = Object.hasOwn(knew, name) ? wasTable : isTable;
          return table.has(name) ? [[name, table.get(name)]] : [];
        });
        return [key, Object.fromEntries(entries)];
      }),
    );
  }

  private wireOf(record: PriceDraftRecord): PriceDraft {
    const { options } = this.tools;
    const [changes, base] = [readChanges(record.changes), readChanges(record.base)];
    const isOpen = record.state === "draft" || record.state === "scheduled";
    return {
      id: record.id,
      name: record.name,
      author: record.author,
      created_at: record.createdAt,
      changed_at: record.changedAt,
      revision: record.revision,
      state: record.state,
      holds_from: record.holdsFrom,
      fault: record.fault,
      changes,
      base,
      conflicts: isOpen ? conflictsOf(changes, base, (key) => options.text(key)) : [],
    };
  }
}
