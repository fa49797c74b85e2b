import { createHash } from "node:crypto";
import type { Channel } from "@tollgate/contract/control/channel";
import { readGroups } from "@tollgate/contract/control/group";
import type { Token } from "@tollgate/contract/control/token";
import type { ChannelRecord } from "@tollgate/contract/records/channel-record";
import type { Session } from "@tollgate/contract/records/session";
import type { TokenRecord } from "@tollgate/contract/records/token-record";
import type { UserRecord } from "@tollgate/contract/records/user-record";
import {
  CHANNEL_DISABLED_AUTOMATICALLY,
  CHANNEL_DISABLED_BY_HAND,
  CHANNEL_ENABLED,
  TOKEN_DISABLED,
} from "@tollgate/contract/values/statuses";
import type { ChannelEntry, KeyEntry, Directory as RelayDirectory, UserEntry } from "@tollgate/relay/ports";
import { createChannelEntries, nameKey, splitKeys } from "@tollgate/relay/routing/channel-entry";
import type { Remote } from "@tollgate/storage/client";
import { readPages } from "@tollgate/storage/read-pages";
import type { Secrets } from "@tollgate/storage/secrets";
import type { Reads, Writes } from "@tollgate/storage/storage";
import { parseNetworks } from "../http/networks";
import type { Reason } from "../locales/say-log";
import { ModelRoutes, type RoutedChannel } from "./model-routes";
import type { Options } from "./options";

/** A user with what signing in needs. */
export interface Member extends UserEntry {
  displayName: string;
  passwordHash: string;
  accessTokenHash: string | undefined;
}

interface KnownChannel {
  readonly record: ChannelRecord;
  /** The keys that may be used; all of them when none may, so that a test can find out how they are. */
  readonly entries: readonly ChannelEntry[];
}

/** Told what the gateway switches off and on by itself. */
export interface ChannelIncidents {
  /** A channel is off, because no key of it works (or it is too slow, or out of money). */
  channelDisabled(channel: Channel, reason: Reason): void;
  /** One of a channel's keys is off; others go on. */
  keyDisabled(channel: Channel, reason: Reason): void;
  /** What was off works again. */
  channelEnabled(channel: Channel): void;
}

interface KnownKey extends KeyEntry {
  readonly keyHash: string;
}

const isUsable = ({ record, entries }: KnownChannel): boolean =>
  entries.length > 0 && record.channel.status === CHANNEL_ENABLED;

/** A channel as the routes know it: without keys while it is out of use. */
const routedOf = (known: KnownChannel): RoutedChannel => {
  const { id, priority, groups, models } = known.record.channel;
  return { id, priority, groups, models, entries: isUsable(known) ? known.entries : [] };
};

/** How many presented keys are remembered with their entry, to save their hash on the next request. */
const REMEMBERED_KEYS = 20_000;

/** Rows that are read at once at a start. */
const PAGE_ROWS = 5000;

/** The name of an entry's key, as it is stored among a channel's dead ones (see nameKey). */
const keyNameOf = (entry: ChannelEntry): string => entry.id.slice(entry.id.indexOf("/") + 1);

/** What a key may use, and from where: as the relay needs it. */
export const accessOf = ({
  models = [],
  subnet = "",
  limits,
}: Pick<Token, "models" | "subnet" | "limits">): Pick<KeyEntry, "limits" | "models" | "networks"> => {
  // Most keys may be used from anywhere, and a list of networks takes a microsecond to make.
  const networks = subnet === "" ? undefined : parseNetworks(subnet);
  return {
    limits,
    models: models.length === 0 ? undefined : new Set(models),
    // Checked before it is stored; what is stored wrongly all the same lets nobody in.
    networks: networks && "fault" in networks ? { has: () => false } : networks,
  };
};

export const hashSessionId = (id: string): string => createHash("sha256").update(id).digest("base64url");

/** Whether two sign-ins came from the same program at the same place. */
const isAlike = (known: Session | undefined, { address, userAgent }: Session): boolean =>
  known?.address === address && known.userAgent === userAgent;

/**
 * Users, keys, channels and sessions in memory: what every request needs is here, and no request waits for the
 * database. Whoever changes one of them stores it first and then says so here.
 */
export class Directory implements RelayDirectory {
  private readonly members = new Map<number, Member>();
  private readonly membersByName = new Map<string, Member>();
  private readonly membersByAccessToken = new Map<string, Member>();
  private readonly keys = new Map<number, KnownKey>();
  private readonly keysByHash = new Map<string, KnownKey>();
  private readonly presented = new Map<string, KnownKey>();
  private readonly channels = new Map<number, KnownChannel>();
  private readonly sessions = new Map<string, Session>();
  /** The hashes of each user's sessions, the oldest first. */
  private readonly sessionsOfUser = new Map<number, Set<string>>();
  private readonly routes = new ModelRoutes();

  constructor(
    private readonly write: Remote<Writes>,
    private readonly secrets: Secrets,
    private readonly options: Options,
    private readonly reportError: (error: Error) => void,
    private readonly incidents: ChannelIncidents,
  ) {}

  async load(read: Remote<Reads>, now: number): Promise<void> {
    const { users, tokens, channels } = read;
    for await (const page of readPages(users.after, ({ user }) => user.id, PAGE_ROWS))
      for (const record of page) this.setUser(record);
    for await (const page of readPages(tokens.after, ({ id }) => id, PAGE_ROWS))
      for (const record of page) this.addKey(record);
    for await (const page of readPages(channels.after, ({ channel }) => channel.id, PAGE_ROWS))
      for (const record of page) this.keepChannel(record);
    this.routes.load([...this.channels.values()].map(routedOf));
    for (const session of await read.sessions.live(now)) this.addSession(session);
  }

  // --- users and sessions ---

  findMember(id: number): Member | undefined {
    return this.members.get(id);
  }

  findMemberByName(username: string): Member | undefined {
    return this.membersByName.get(username);
  }

  findMemberByAccessToken(token: string): Member | undefined {
    return this.membersByAccessToken.get(this.secrets.hash(token));
  }

  /** Adds a user, or takes over everything of it but its balance, which is changed by the ledger alone. */
  setUser({ user, passwordHash, accessTokenHash }: UserRecord): Member {
    const known = this.members.get(user.id);
    if (known) {
      this.membersByName.delete(known.username);
      if (known.accessTokenHash !== undefined) this.membersByAccessToken.delete(known.accessTokenHash);
    }
    const member: Member = known ?? {
      id: user.id,
      username: user.username,
      displayName: user.displayName,
      role: user.role,
      status: user.status,
      groups: readGroups(user.group),
      passwordHash,
      accessTokenHash,
      account: { id: user.id, quota: user.quota, held: 0, isUnlimited: false },
    };
    member.username = user.username;
    member.displayName = user.displayName;
    member.role = user.role;
    member.status = user.status;
    member.groups = readGroups(user.group);
    member.limits = user.limits;
    member.passwordHash = passwordHash;
    member.accessTokenHash = accessTokenHash;
    this.members.set(member.id, member);
    this.membersByName.set(member.username, member);
    if (accessTokenHash !== undefined) this.membersByAccessToken.set(accessTokenHash, member);
    return member;
  }

  setAccessToken(userId: number, accessTokenHash: string): void {
    const member = this.members.get(userId);
    if (!member) return;
    if (member.accessTokenHash !== undefined) this.membersByAccessToken.delete(member.accessTokenHash);
    member.accessTokenHash = accessTokenHash;
    this.membersByAccessToken.set(accessTokenHash, member);
  }

  /** Forgets sessions that have ended by themselves. @param now unix seconds. */
  removeExpiredSessions(now: number): void {
    for (const session of [...this.sessions.values()])
      if (session.expiresTime <= now) this.sessions.delete(session.idHash);
  }

  /** Forgets a user with its keys and sessions. */
  removeUser(id: number): void {
    const member = this.members.get(id);
    if (!member) return;
    this.members.delete(id);
    this.membersByName.delete(member.username);
    if (member.accessTokenHash !== undefined) this.membersByAccessToken.delete(member.accessTokenHash);
    for (const key of [...this.keys.values()]) if (key.user === member) this.removeKey(key.id);
    for (const idHash of this.sessionsOfUser.get(id) ?? []) this.sessions.delete(idHash);
    this.sessionsOfUser.delete(id);
  }

  /**
   * @param most how many sessions a user may have.
   * @returns the sessions that it ended to make room: of the same program and address before others, the oldest first.
   */
  addSession(session: Session, most = Number.POSITIVE_INFINITY): string[] {
    const ended: string[] = [];
    const hashes = this.sessionsOfUser.get(session.userId) ?? new Set<string>();
    while (hashes.size >= most) {
      const all = [...hashes];
      const alike = all.find((idHash) => isAlike(this.sessions.get(idHash), session)) ?? all[0];
      if (alike === undefined) break;
      hashes.delete(alike);
      this.sessions.delete(alike);
      ended.push(alike);
    }
    this.sessions.set(session.idHash, session);
    this.sessionsOfUser.set(session.userId, hashes.add(session.idHash));
    return ended;
  }

  removeSession(idHash: string): void {
    const session = this.sessions.get(idHash);
    if (!session) return;
    this.sessions.delete(idHash);
    this.sessionsOfUser.get(session.userId)?.delete(idHash);
  }

  /** Whether a user is signed in from an address. @param now unix seconds. */
  isSignedInFrom(userId: number, address: string, now: number): boolean {
    for (const idHash of this.sessionsOfUser.get(userId) ?? []) {
      const session = this.sessions.get(idHash);
      if (session?.address === address && session.expiresTime > now) return true;
    }
    return false;
  }

  /** @param now unix seconds. */
  findSession(id: string, now: number): Session | undefined {
    const session = this.sessions.get(hashSessionId(id));
    if (!session) return undefined;
    if (session.expiresTime > now) return session;
    this.removeSession(session.idHash);
    return undefined;
  }

  // --- keys ---

  findKey(key: string): KeyEntry | undefined {
    const remembered = this.presented.get(key);
    if (remembered) return remembered;
    const found = this.keysByHash.get(this.secrets.hash(key));
    if (found) {
      if (this.presented.size >= REMEMBERED_KEYS) this.presented.clear();
      this.presented.set(key, found);
    }
    return found;
  }

  findKeyById(id: number): KeyEntry | undefined {
    return this.keys.get(id);
  }

  addKey(record: TokenRecord): void {
    const user = this.members.get(record.userId);
    if (!user) return;
    const key: KnownKey = {
      id: record.id,
      user,
      name: record.name,
      status: record.status,
      expiredTime: record.expiredTime,
      keyHash: record.keyHash,
      ...accessOf(record),
      account: {
        id: record.id,
        quota: record.remainQuota,
        held: 0,
        isUnlimited: record.unlimitedQuota,
      },
    };
    this.keys.set(key.id, key);
    this.keysByHash.set(key.keyHash, key);
  }

  removeKey(id: number): void {
    const key = this.keys.get(id);
    if (!key) return;
    // Requests under way still know it.
    key.status = TOKEN_DISABLED;
    this.keys.delete(id);
    this.keysByHash.delete(key.keyHash);
    for (const [presented, each] of this.presented) {
      if (each === key) this.presented.delete(presented);
    }
  }

  markKey(key: KeyEntry, status: number): void {
    const from = key.status;
    key.status = status;
    this.write.tokens.markStatus(key.id, from, status).catch(this.reportError);
  }

  // --- channels ---

  keysOfChannel(id: number): readonly ChannelEntry[] {
    return this.channels.get(id)?.entries ?? [];
  }

  /** What a channel is called now; "" when it is gone. */
  channelName(id: number): string {
    return this.channels.get(id)?.record.channel.name ?? "";
  }

  candidates(group: string, model: string): readonly ChannelEntry[] {
    return this.routes.candidates(group, model);
  }

  isListed(group: string, model: string): boolean {
    return this.routes.isListed(group, model);
  }

  /** Models that a group can use now. */
  modelsOf(group: string): string[] {
    return this.routes.modelsOf(group);
  }

  /** Models that a key can use now. */
  modelsOfKey({ user, models }: KeyEntry): string[] {
    const offered =
      user.groups.length === 1
        ? this.modelsOf(user.groups[0] ?? "")
        : [...new Set(user.groups.flatMap((group) => this.modelsOf(group)))].sort();
    return models ? offered.filter((model) => models.has(model)) : offered;
  }

  /** Enabled channels that can be relayed to, in the order of their ids. */
  enabledChannels(): Channel[] {
    return this.enabled().map(({ record }) => record.channel);
  }

  /** The keys that the gateway itself has taken out of use. */
  keysOutOfUse(): ChannelEntry[] {
    const found: ChannelEntry[] = [];
    for (const { record, entries } of this.channels.values()) {
      const { channel, key, deadKeys, proxy } = record;
      if (deadKeys.length > 0 && channel.status !== CHANNEL_DISABLED_BY_HAND) {
        const dead = splitKeys(key).filter((each) => deadKeys.includes(nameKey(each)));
        found.push(...createChannelEntries(channel, { key: dead.join("\n"), proxy }));
      } else if (channel.status === CHANNEL_DISABLED_AUTOMATICALLY && entries[0]) {
        found.push(entries[0]);
      }
    }
    return found;
  }

  setChannels(records: ChannelRecord[]): void {
    for (const record of records) this.routes.set(routedOf(this.keepChannel(record)));
  }

  removeChannels(ids: number[]): void {
    for (const id of ids) {
      this.channels.delete(id);
      this.routes.remove(id);
    }
  }

  reportDeadKey(entry: ChannelEntry, reason: string): void {
    if (!this.options.isOn("AutomaticDisableChannelEnabled")) return;
    const known = this.channels.get(entry.channel.id);
    // Many requests may find out at the same time: one incident, one notice.
    const isKnown = known?.entries.some(({ id }) => id === entry.id) ?? false;
    if (!known || !isKnown || known.record.channel.status !== CHANNEL_ENABLED) return;
    const { channel } = known.record;
    const isLast = known.entries.length <= 1;
    this.changeDeadKeys(known, [...known.record.deadKeys, keyNameOf(entry)]);
    if (isLast) this.disableChannel(channel.id, reason);
    else this.incidents.keyDisabled(channel, reason);
  }

  /** Switches a channel off at once and stores it; requests under way go on. */
  disableChannel(id: number, reason: Reason): void {
    const known = this.channels.get(id);
    if (known?.record.channel.status !== CHANNEL_ENABLED) return;
    this.changeStatus(known, CHANNEL_DISABLED_AUTOMATICALLY);
    this.incidents.channelDisabled(known.record.channel, reason);
  }

  /** A key that the gateway had taken out of use works again: it is used, and its channel with it. */
  reviveKey(entry: ChannelEntry): void {
    const known = this.channels.get(entry.channel.id);
    if (!known || known.record.channel.status === CHANNEL_DISABLED_BY_HAND) return;
    const { deadKeys, channel } = known.record;
    const others = deadKeys.filter((name) => name !== keyNameOf(entry));
    if (others.length < deadKeys.length) this.changeDeadKeys(known, others);
    const now = this.channels.get(channel.id) ?? known;
    if (channel.status === CHANNEL_DISABLED_AUTOMATICALLY) this.changeStatus(now, CHANNEL_ENABLED);
    this.incidents.channelEnabled(channel);
  }

  private changeStatus(known: KnownChannel, status: number): void {
    const { channel } = known.record;
    channel.status = status;
    this.routes.set(routedOf(known));
    this.write.channels.change(channel.id, { status }).catch(this.reportError);
  }

  private changeDeadKeys({ record }: KnownChannel, deadKeys: string[]): void {
    this.setChannels([{ ...record, deadKeys }]);
    this.write.channels.change(record.channel.id, { deadKeys }).catch(this.reportError);
  }

  private keepChannel(record: ChannelRecord): KnownChannel {
    const { channel, deadKeys } = record;
    const usable = createChannelEntries(channel, record, deadKeys);
    const entries = usable.length > 0 ? usable : createChannelEntries(channel, record);
    const known = { record, entries };
    this.channels.set(channel.id, known);
    return known;
  }

  private enabled(): KnownChannel[] {
    return [...this.channels.values()].filter(isUsable);
  }
}
