import { createHash } from "node:crypto";
import type { SessionChanges, SessionUse } from "@tollgate/contract/records/people-store";
import type { Session } from "@tollgate/contract/records/session";
import type { ChangeFeed } from "./change-feed";
import { createSessionId } from "./random-text";

/** Maximum sessions per user; a further sign-in ends an earlier session. Far more than a person has devices. */
const MAX_SESSIONS = 500;

/** A use this soon after the last one is not noted, in seconds. */
const USE_SECONDS = 60;

/** The name of a session outside its cookie. @param id the value of its cookie. */
export const hashSessionId = (id: string): string => createHash("sha256").update(id).digest("base64url");

/** Whether two sign-ins came from the same program at the same address. */
const isAlike = (known: Session | undefined, { address, userAgent }: Session): boolean =>
  known?.address === address && known.userAgent === userAgent;

/** The sessions. Each starts and ends here: it is stored, applied in memory and announced. */
export class Sessions {
  private readonly byHash = new Map<string, Session>();
  /** The hashes of each user's sessions, the oldest first. */
  private readonly ofUser = new Map<number, Set<string>>();
  /** Those that are over in memory and not in storage yet. */
  private readonly ending = new Set<string>();
  /** Those whose last use is to be stored. */
  private readonly used = new Set<string>();

  /** @param most maximum sessions per user. */
  constructor(
    private readonly store: SessionChanges,
    private readonly changes: ChangeFeed,
    private readonly most = MAX_SESSIONS,
  ) {
    changes.subscribe(({ of, id, what }) => {
      if (of === "user" && what === "removed")
        for (const idHash of [...(this.ofUser.get(id as number) ?? [])]) this.forget(idHash);
    });
  }

  load(sessions: readonly Session[]): void {
    for (const session of sessions) this.apply(session);
  }

  /**
   * Applies the stored state of sessions, whichever node changed them. The records must not be older than any
   * acknowledged change of this process: they are read in the order of its changes.
   * @param idHashes the ids read; a session without a record is over.
   */
  refresh(idHashes: readonly string[], sessions: readonly Session[]): void {
    const stored = new Set(sessions.map(({ idHash }) => idHash));
    for (const idHash of idHashes) {
      if (stored.has(idHash) || !this.byHash.has(idHash)) continue;
      this.forget(idHash);
      this.changes.announce({ of: "session", id: idHash, what: "removed" });
    }
    for (const session of sessions) {
      const { idHash } = session;
      if (this.ending.has(idHash) || this.byHash.has(idHash)) continue;
      this.apply(session);
      this.changes.announce({ of: "session", id: idHash, what: "created" });
    }
  }

  /** The hashes of all sessions. */
  idHashes(): string[] {
    return [...this.byHash.keys()];
  }

  /**
   * Signs a user in. If this exceeds the maximum, it ends a session: of the same program and address first, then the
   * oldest.
   * @returns the value of the session's cookie.
   */
  async begin(session: Omit<Session, "idHash" | "lastUsedTime">): Promise<string> {
    const id = createSessionId();
    const begun: Session = { ...session, idHash: hashSessionId(id), lastUsedTime: session.createdTime };
    for (const idHash of this.replacedBy(begun)) {
      await this.store.remove(idHash);
      this.forget(idHash);
      this.changes.announce({ of: "session", id: idHash, what: "removed" });
    }
    await this.store.create(begun);
    this.apply(begun);
    this.changes.announce({ of: "session", id: begun.idHash, what: "created" });
    return id;
  }

  /** @param id the value of its cookie. @param now unix seconds. */
  find(id: string, now: number): Session | undefined {
    const session = this.byHash.get(hashSessionId(id));
    if (!session) return undefined;
    if (session.expiresTime <= now) {
      this.forget(session.idHash);
      return undefined;
    }
    if (now - session.lastUsedTime >= USE_SECONDS) {
      session.lastUsedTime = now;
      this.used.add(session.idHash);
    }
    return session;
  }

  /** When this process last noted a use; 0 for a session that it does not know. @param idHash the hash of its cookie. */
  lastUse(idHash: string): number {
    return this.byHash.get(idHash)?.lastUsedTime ?? 0;
  }

  /** Stores the uses that this process has noted. */
  async storeUses(): Promise<void> {
    const uses: SessionUse[] = [...this.used].flatMap((idHash) => this.byHash.get(idHash) ?? []);
    this.used.clear();
    if (uses.length === 0) return;
    try {
      await this.store.noteUse(uses.map(({ idHash, lastUsedTime }) => ({ idHash, lastUsedTime })));
    } catch (error) {
      // Storing a use twice does no harm.
      for (const { idHash } of uses) if (this.byHash.has(idHash)) this.used.add(idHash);
      throw error;
    }
  }

  /** Whether a user is signed in from an address. @param now unix seconds. */
  isSignedInFrom(userId: number, address: string, now: number): boolean {
    for (const idHash of this.ofUser.get(userId) ?? []) {
      const session = this.byHash.get(idHash);
      if (session?.address === address && session.expiresTime > now) return true;
    }
    return false;
  }

  /** Ends a session, immediately in memory. @param id the value of its cookie. */
  end(id: string): Promise<void> {
    return this.endHashed(hashSessionId(id));
  }

  /** Ends one of a user's sessions. @returns whether it was theirs. @param idHash the hash of its cookie. */
  async endOf(userId: number, idHash: string): Promise<boolean> {
    if (this.byHash.get(idHash)?.userId !== userId) return false;
    await this.endHashed(idHash);
    return true;
  }

  private async endHashed(idHash: string): Promise<void> {
    this.forget(idHash);
    this.ending.add(idHash);
    try {
      await this.store.remove(idHash);
    } finally {
      this.ending.delete(idHash);
    }
    this.changes.announce({ of: "session", id: idHash, what: "removed" });
  }

  /** Ends all sessions of a user except one. @param keptId the value of its cookie, undefined for none. */
  async endOthers(userId: number, keptId: string | undefined): Promise<void> {
    this.announceEnded(
      await this.store.removeOthers(userId, keptId === undefined ? "" : hashSessionId(keptId)),
    );
  }

  /** Ends all sessions of users of a role or above who have no second factor. */
  async endOfOneFactor(leastRole: number): Promise<void> {
    this.announceEnded(await this.store.removeOfOneFactor(leastRole));
  }

  private announceEnded(idHashes: readonly string[]): void {
    for (const idHash of idHashes) this.forget(idHash);
    for (const idHash of idHashes) this.changes.announce({ of: "session", id: idHash, what: "removed" });
  }

  /** Forgets sessions that have ended by themselves. @param now unix seconds. */
  async removeExpired(now: number): Promise<void> {
    for (const { idHash, expiresTime } of [...this.byHash.values()])
      if (expiresTime <= now) this.forget(idHash);
    await this.store.removeExpired(now);
  }

  private apply(session: Session): void {
    this.byHash.set(session.idHash, session);
    const hashes = this.ofUser.get(session.userId) ?? new Set<string>();
    this.ofUser.set(session.userId, hashes.add(session.idHash));
  }

  /** The sessions that end for one more. */
  private replacedBy(session: Session): string[] {
    const hashes = [...(this.ofUser.get(session.userId) ?? [])];
    if (hashes.length < this.most) return [];
    const alike = new Set(hashes.filter((idHash) => isAlike(this.byHash.get(idHash), session)));
    const others = hashes.filter((idHash) => !alike.has(idHash));
    return [...alike, ...others].slice(0, hashes.length - this.most + 1);
  }

  private forget(idHash: string): void {
    const session = this.byHash.get(idHash);
    if (!session) return;
    this.byHash.delete(idHash);
    this.used.delete(idHash);
    const hashes = this.ofUser.get(session.userId);
    hashes?.delete(idHash);
    if (hashes?.size === 0) this.ofUser.delete(session.userId);
  }
}
