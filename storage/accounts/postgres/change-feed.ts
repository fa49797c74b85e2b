import { setTimeout as wait } from "node:timers/promises";
import type { Change } from "@tollgate/contract/records/change";
import type { AccountId, LeaseRecall } from "@tollgate/contract/records/lease";
import { sql } from "kysely";
import pg from "pg";
import { DatabaseRefused } from "../../errors";
import { connectionSettings, type PoolUse, readDestination } from "../../postgres/connection-pool";
import { explainFailure } from "../../postgres/explain-failure";
import type { ChangeFeed, ChangeFollower, FeedState } from "../node-ports";
import { CHANGES_CHANNEL } from "../sql/schema/change-triggers";
import type { Announce } from "./leases.repository";

const RECALLS_CHANNEL = "tollgate_recalls";

/** Changes that are read, and handed over, at once. */
const PAGE_ROWS = 2000;

/**
 * Interval of polling without a notification: a pooler may swallow NOTIFY. A change must be in memory within a second.
 */
const POLL_MS = 500;

/** How soon after a look the next one is taken: where something was told, and where a request waits for it. */
const AFTER_NOTICE_MS = 20;
const NEXT_FOR_KNOWN_MS = 5;
const NEXT_FOR_STRANGERS_MS = 100;

/** Maximum time that a request waits for possible changes. */
const CATCH_UP_MS = 3000;

/** How long a node may take nothing over before it lets no request in: as long as it may be silent (decision 13). */
const DEAF_MS = 10_000;

/** How long a notification may be on its way at the start before it counts as swallowed. */
const HEAR_MS = 5000;

/** How long an answer may take before the connection counts as broken. */
const ANSWER_MS = 5000;

/** Between two attempts to connect, or to hand the same changes over: doubled each time. */
const RETRY_MS = 100;
const LONGEST_RETRY_MS = 2000;

/** A row of `changes`. */
interface ChangeRow {
  number: number;
  of: string;
  id: string;
  what: string;
  /** To the microsecond, as a text. */
  at: string;
  /** How long ago that was when the database answered. */
  ageMs: number;
}

/** The row up to which everything was handed over. */
type Position = Pick<ChangeRow, "number" | "at">;

/** Before the first row of a table that has none. */
const BEGINNING: Position = { number: 0, at: "" };

/** @returns undefined for a change of a newer version, which this version keeps nothing of. */
const toChange = ({ of, id, what }: ChangeRow): Change | undefined => {
  switch (of) {
    case "user":
    case "api-key":
    case "channel":
      return { of, id: Number(id), what: what === "created" || what === "removed" ? what : "changed" };
    case "session":
      return { of, id, what: what === "removed" ? what : "created" };
    case "option":
      return { of, id, what: "changed" };
    default:
      return undefined;
  }
};

const encodeRecall = ({ account, epoch }: LeaseRecall): string => `${account} ${epoch ?? ""}`;

/** @returns undefined for an invalid text. */
const decodeRecall = (text: string): LeaseRecall | undefined => {
  const [, account, epoch] = /^((?:user|key):\d+) (\d*)$/.exec(text) ?? [];
  if (account === undefined) return undefined;
  return { account: account as AccountId, epoch: epoch ? Number(epoch) : undefined };
};

/** Tells all nodes of a recall. It is kept nowhere: a second later it is worth nothing. */
export const announceRecall: Announce = async (transaction, recall) => {
  await sql`SELECT pg_notify(${RECALLS_CHANNEL}, ${encodeRecall(recall)})`.execute(transaction);
};

const errorOf = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/** The feed on one connection after another: it listens, and reads on from the last row it has handed over. */
class PostgresChangeFeed implements ChangeFeed {
  private client: pg.Client | undefined;
  private follower: ChangeFollower | undefined;
  private position = BEGINNING;
  private isClosed = false;
  private isConnected = false;
  /** When the last page of changes was taken over, or there was none, in monotonic milliseconds. */
  private heardAtMs = performance.now();
  /** There may be new rows. */
  private isNotified = false;
  /** An error is now the follower's, and not the connection's. */
  private isHandingOver = false;
  /** All has to be taken over again, which was not done yet. */
  private isUnknown = false;
  /** Called after the next look that has handed everything over. */
  private waiting = new Set<(isCaughtUp: boolean) => void>();
  /** Whether one of them is known. */
  private isKnownWaiting = false;
  /** Ends the pause between two looks. */
  private wake: () => void = () => {};
  private running: Promise<void> | undefined;
  private lagMs: number | undefined;
  private currentAtMs = performance.now();
  private lookedAtMs = Number.NEGATIVE_INFINITY;
  private noteHeard: () => void = () => {};
  hearsAtOnce = false;

  /** @param address at which it listens. */
  constructor(private readonly address: string) {}

  /** Connects, and begins behind the newest row. */
  async open(): Promise<void> {
    const client = await this.connect();
    this.position = await this.newest(client);
    this.currentAtMs = performance.now();
    this.heardAtMs = this.currentAtMs;
  }

  /** Tells something on another connection, and notes whether it is heard. @param address of the database. */
  async testHearing(address: string): Promise<void> {
    const heard = new Promise<void>((resolve) => {
      this.noteHeard = () => {
        this.hearsAtOnce = true;
        resolve();
      };
    });
    const teller = new pg.Client({ ...connectionSettings(address), query_timeout: ANSWER_MS });
    teller.on("error", () => {});
    try {
      await teller.connect();
      await teller.query(`SELECT pg_notify('${CHANGES_CHANNEL}', '')`);
      await Promise.race([heard, wait(HEAR_MS, undefined, { ref: false })]);
    } catch (error) {
      throw explainFailure(error, readDestination(address));
    } finally {
      teller.end().catch(() => {});
    }
  }

  follow(follower: ChangeFollower): void {
    this.follower = follower;
    this.running = this.run(follower);
  }

  catchUp(isKnown: boolean): Promise<boolean> {
    return new Promise((resolve) => {
      const done = (isCaughtUp: boolean): void => {
        clearTimeout(timer);
        resolve(isCaughtUp);
      };
      const timer = setTimeout(() => {
        this.waiting.delete(done);
        resolve(false);
      }, CATCH_UP_MS);
      this.waiting.add(done);
      this.isKnownWaiting ||= isKnown;
      this.wake();
    });
  }

  state(): FeedState {
    const { isConnected, position, lagMs } = this;
    return { isConnected, number: position.number, lagMs, behindMs: performance.now() - this.currentAtMs };
  }

  isDeaf(): boolean {
    // An open connection is not enough: changes may arrive that cannot be taken over.
    return performance.now() - this.heardAtMs > DEAF_MS;
  }

  connections(): PoolUse {
    return { open: this.client ? 1 : 0, waiting: 0 };
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.wake();
    await this.running;
    for (const done of this.waiting) done(false);
    await this.disconnect();
  }

  private async connect(): Promise<pg.Client> {
    const destination = readDestination(this.address);
    const client = new pg.Client({ ...connectionSettings(this.address), query_timeout: ANSWER_MS });
    // The next query is told.
    client.on("error", () => this.lose(client));
    client.on("end", () => this.lose(client));
    client.on("notification", ({ channel, payload }) => this.hear(channel, payload ?? ""));
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANGES_CHANNEL}; LISTEN ${RECALLS_CHANNEL}`);
    } catch (error) {
      client.end().catch(() => {});
      throw explainFailure(error, destination);
    }
    this.client = client;
    this.isConnected = true;
    return client;
  }

  private lose(client: pg.Client): void {
    if (this.client !== client) return;
    this.forget();
    this.wake();
  }

  private forget(): void {
    this.isConnected = false;
    this.client = undefined;
  }

  private async disconnect(): Promise<void> {
    const { client } = this;
    this.forget();
    await client?.end().catch(() => {});
  }

  private hear(channel: string, payload: string): void {
    this.noteHeard();
    if (channel === CHANGES_CHANNEL) {
      this.isNotified = true;
      this.wake();
      return;
    }
    const recall = decodeRecall(payload);
    if (recall) this.follower?.onRecall(recall);
  }

  private async newest(client: pg.Client): Promise<Position> {
    const { rows } = await client.query<Position>(
      "SELECT number, at::text AS at FROM changes ORDER BY number DESC LIMIT 1",
    );
    return rows[0] ?? BEGINNING;
  }

  private async run(follower: ChangeFollower): Promise<void> {
    let failures = 0;
    while (!this.isClosed) {
      try {
        const client = this.client ?? (await this.connect());
        await this.look(client, follower);
        failures = 0;
        await this.pause(() => this.untilNextMs());
      } catch (error) {
        if (this.isClosed) return;
        if (failures === 0) follower.reportError(errorOf(error));
        // A connection that did not answer in time is not asked again.
        if (!this.isHandingOver) await this.disconnect();
        failures += 1;
        const pauseMs =
          Math.min(LONGEST_RETRY_MS, RETRY_MS * 2 ** Math.min(failures, 10)) * (0.5 + Math.random() / 2);
        const endMs = performance.now() + pauseMs;
        await this.pause(() => endMs - performance.now());
      }
    }
  }

  /** How long until the next look. */
  private untilNextMs(): number {
    const sinceMs = performance.now() - this.lookedAtMs;
    if (!this.client) return 0;
    if (this.isKnownWaiting) return NEXT_FOR_KNOWN_MS - sinceMs;
    if (this.isNotified) return AFTER_NOTICE_MS - sinceMs;
    return (this.waiting.size > 0 ? NEXT_FOR_STRANGERS_MS : POLL_MS) - sinceMs;
  }

  /** Waits until a time, which is computed again whenever something has happened. */
  private async pause(untilMs: () => number): Promise<void> {
    for (let leftMs = untilMs(); leftMs > 0 && !this.isClosed; leftMs = untilMs())
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, leftMs);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
  }

  /** Hands over all that there is. */
  private async look(client: pg.Client, follower: ChangeFollower): Promise<void> {
    const startedMs = performance.now();
    this.lookedAtMs = startedMs;
    this.isNotified = false;
    this.isHandingOver = false;
    const asked = this.waiting;
    this.waiting = new Set();
    this.isKnownWaiting = false;
    try {
      let areMore = true;
      while (areMore) {
        areMore = await this.handOverPage(client, follower);
        this.heardAtMs = performance.now();
      }
    } catch (error) {
      for (const done of asked) this.waiting.add(done);
      throw error;
    }
    this.currentAtMs = startedMs;
    for (const done of asked) done(true);
  }

  /** @returns whether there may be more. */
  private async handOverPage(client: pg.Client, follower: ChangeFollower): Promise<boolean> {
    const { rows } = await client.query<ChangeRow>(
      `SELECT number, "of", id, what, at::text AS at,
         (extract(epoch FROM clock_timestamp() - at) * 1000)::float8 AS "ageMs"
       FROM changes WHERE number >= $1 ORDER BY number LIMIT ${PAGE_ROWS + 1}`,
      [this.position.number],
    );
    const readMs = performance.now();
    const [first, ...others] = rows;
    const isSame = first?.number === this.position.number && first.at === this.position.at;
    const news = this.position === BEGINNING ? rows : others;
    // When the last seen row is missing, later rows may be missing as well, or the database was replaced.
    if (!isSame && this.position !== BEGINNING) {
      this.isUnknown = true;
      this.position = await this.newest(client);
    } else if (news.some(({ of }) => of === "everything")) this.isUnknown = true;
    if (this.isUnknown) {
      // The position of before the reading: changes made meanwhile are handed over once more.
      const last = isSame ? news.at(-1) : undefined;
      await this.handOver(() => follower.onEverything());
      this.isUnknown = false;
      if (last) this.position = last;
      return true;
    }
    const last = news.at(-1);
    if (!last) return false;
    await this.handOver(() => follower.onChanges(news.flatMap((row) => toChange(row) ?? [])));
    this.position = last;
    this.lagMs = last.ageMs + performance.now() - readMs;
    return rows.length > PAGE_ROWS;
  }

  private async handOver(step: () => Promise<void>): Promise<void> {
    this.isHandingOver = true;
    await step();
    this.isHandingOver = false;
  }
}

/**
 * Follows the changes in a database, from now on.
 * @param listenAddress of the same database, without a pooler that swallows NOTIFY.
 * @throws DatabaseRefused when it cannot be reached, or nothing is heard at a separate address for listening.
 */
export const openChangeFeed = async (
  address: string,
  listenAddress = address,
): Promise<ChangeFeed & { connections(): PoolUse }> => {
  const feed = new PostgresChangeFeed(listenAddress);
  try {
    await feed.open();
    await feed.testHearing(address);
    if (listenAddress !== address && !feed.hearsAtOnce) {
      const { host } = readDestination(listenAddress);
      throw new DatabaseRefused({ code: "database-listens-elsewhere", host });
    }
  } catch (error) {
    await feed.close();
    throw error;
  }
  return feed;
};
