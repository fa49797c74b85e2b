import type { Accounts } from "@tollgate/accounts/accounts";
import type { ApiKeyRecord } from "@tollgate/contract/records/api-key-record";
import type { Change } from "@tollgate/contract/records/change";
import type { ChannelRecord } from "@tollgate/contract/records/channel-record";
import type { LeaseRecall } from "@tollgate/contract/records/lease";
import type { Session } from "@tollgate/contract/records/session";
import type { UserRecord } from "@tollgate/contract/records/user-record";
import type { Channels } from "@tollgate/relay/routing/channels";
import type { ChangeFollower } from "@tollgate/storage/accounts/node-ports";
import type { AccountQueries } from "@tollgate/storage/accounts/ports";
import type { Options } from "./options";

/** Records read and applied at once, few enough not to delay requests. */
const AT_ONCE = 200;
/** A channel may have many keys, each with its own target and routes. */
const CHANNELS_AT_ONCE = 25;

/** In-memory copies of stored records. */
export interface FollowedMemory {
  accounts: Pick<Accounts, "users" | "keys" | "sessions">;
  channels: Pick<Channels, "refresh" | "ids">;
  options: Pick<Options, "refresh">;
}

/** Changes other than those of records. */
export interface FollowerTools {
  /** Unix seconds. */
  now(): number;
  onRecall(recall: LeaseRecall): void;
  reportError(error: Error): void;
}

/** A kind of records, with functions to read and apply them. */
interface Kind<Id, StoredRecord> {
  readonly atOnce: number;
  read(ids: readonly Id[]): Promise<StoredRecord[]>;
  refresh(ids: readonly Id[], records: readonly StoredRecord[]): void;
}

/** A kind whose records can be read in pages, by number. */
interface NumberedKind<StoredRecord> extends Kind<number, StoredRecord> {
  after(id: number, limit: number): Promise<StoredRecord[]>;
  idOf(record: StoredRecord): number;
  /** Those in memory. */
  ids(): number[];
}

const refreshAll = async <Id, StoredRecord>(
  { atOnce, read, refresh }: Kind<Id, StoredRecord>,
  ids: readonly Id[],
): Promise<void> => {
  for (let start = 0; start < ids.length; start += atOnce) {
    const some = ids.slice(start, start + atOnce);
    // Applied as soon as they are read: the answer of this process's next change is newer.
    refresh(some, await read(some));
  }
};

/** Applies all stored records, and then checks those in memory that were not found. */
const refreshEverything = async <StoredRecord>(kind: NumberedKind<StoredRecord>): Promise<void> => {
  const found = new Set<number>();
  for (let last = 0; ; ) {
    const records = await kind.after(last, kind.atOnce);
    const ids = records.map((record) => kind.idOf(record));
    kind.refresh(ids, records);
    for (const id of ids) found.add(id);
    const newest = ids.at(-1);
    if (newest === undefined) break;
    last = newest;
  }
  const missing = kind.ids().filter((id) => !found.has(id));
  await refreshAll(kind, missing);
};

/**
 * Applies changes in storage to memory, by other nodes and this one. A change names a record, whose current state is
 * then read: many changes of one record are read once, and a repeated one does no harm.
 * @param stored queries answered in the order of this process's own changes, each of which is applied when it is
 * answered: state read before a change is never applied after it.
 */
export const createChangeFollower = (
  stored: AccountQueries,
  { accounts: { users, keys, sessions }, channels, options }: FollowedMemory,
  { now, onRecall, reportError }: FollowerTools,
): ChangeFollower => {
  const userKind: NumberedKind<UserRecord> = {
    atOnce: AT_ONCE,
    read: (ids) => stored.users.withIds(ids),
    after: (id, limit) => stored.users.after(id, limit),
    idOf: ({ user }) => user.id,
    refresh: (ids, records) => users.refresh(ids, records),
    ids: () => users.ids(),
  };
  const keyKind: NumberedKind<ApiKeyRecord> = {
    atOnce: AT_ONCE,
    read: (ids) => stored.tokens.withIds(ids),
    after: (id, limit) => stored.tokens.after(id, limit),
    idOf: ({ id }) => id,
    refresh: (ids, records) => keys.refresh(ids, records),
    ids: () => keys.ids(),
  };
  const channelKind: NumberedKind<ChannelRecord> = {
    atOnce: CHANNELS_AT_ONCE,
    read: (ids) => stored.channels.withIds(ids),
    after: (id, limit) => stored.channels.after(id, limit),
    idOf: ({ channel }) => channel.id,
    refresh: (ids, records) => channels.refresh(ids, records),
    ids: () => channels.ids(),
  };
  const sessionKind: Kind<string, Session> = {
    atOnce: AT_ONCE,
    read: (idHashes) => stored.sessions.withIds(idHashes),
    refresh: (idHashes, records) => sessions.refresh(idHashes, records),
  };
  const refreshOptions = async (): Promise<void> => options.refresh(await stored.options.all());

  return {
    async onChanges(changes: readonly Change[]) {
      const numbered = { user: new Set<number>(), "api-key": new Set<number>(), channel: new Set<number>() };
      const idHashes = new Set<string>();
      let isOptionChanged = false;
      for (const change of changes) {
        if (change.of === "session") idHashes.add(change.id);
        else if (change.of === "option") isOptionChanged = true;
        else numbered[change.of].add(change.id);
      }
      // Users before their own records.
      await refreshAll(userKind, [...numbered.user]);
      await refreshAll(keyKind, [...numbered["api-key"]]);
      await refreshAll(sessionKind, [...idHashes]);
      await refreshAll(channelKind, [...numbered.channel]);
      if (isOptionChanged) await refreshOptions();
    },

    async onEverything() {
      await refreshOptions();
      await refreshEverything(userKind);
      await refreshEverything(keyKind);
      const live = await stored.sessions.live(now());
      const idHashes = new Set([...sessions.idHashes(), ...live.map(({ idHash }) => idHash)]);
      await refreshAll(sessionKind, [...idHashes]);
      await refreshEverything(channelKind);
    },

    onRecall,
    reportError,
  };
};
