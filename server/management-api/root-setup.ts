import { createHash, timingSafeEqual } from "node:crypto";
import { randomAlphanumeric } from "@tollgate/accounts/random-text";
import type { User } from "@tollgate/accounts/users";
import type { SetupState } from "@tollgate/contract/management/setup";
import { ROLE_ROOT } from "@tollgate/contract/values/roles";
import { DEFAULT_ROOT_PASSWORD } from "./passwords";

/** How long a set-up link holds. Each start makes a new one, so a day is no hindrance, and an old log opens nothing. */
const VALID_MS = 86_400_000;

/** Letters and digits, 190 bits: nobody guesses it, whatever limits there are, and a terminal takes all of it as link. */
const CODE_LENGTH = 32;

const digest = (code: string): Buffer => createHash("sha256").update(code).digest();

/**
 * Root's first password. Until root has one of its own, nobody signs in as root, and whoever reads the terminal sets it
 * with the code of the printed link. The code lives in memory alone, as a hash, and works once.
 */
export class RootSetup {
  private pending: { userId: number; codeHash: Buffer; untilMs: number } | undefined;
  private isBeingUsed = false;

  /** @param allowsDefault whether root may keep the default password, for callers on this machine. */
  constructor(private readonly allowsDefault: boolean) {}

  /** Opens the set-up. @returns the code that ends it. */
  open(userId: number, nowMs: number): string {
    const code = randomAlphanumeric(CODE_LENGTH);
    this.pending = { userId, codeHash: digest(code), untilMs: nowMs + VALID_MS };
    return code;
  }

  /** The root user that waits for its first password. */
  get pendingUserId(): number | undefined {
    return this.pending?.userId;
  }

  /**
   * Whether somebody whose password is right may sign in with it.
   * @param isLocal whether the caller sits on this machine; see ClientAddresses.
   */
  admits(member: User, password: string, isLocal: boolean): boolean {
    if (member.id === this.pendingUserId) return false;
    const isDefault = member.role >= ROLE_ROOT && password === DEFAULT_ROOT_PASSWORD;
    return !isDefault || (this.allowsDefault && isLocal);
  }

  /** What a code is good for now. Hashes are compared in constant time. */
  judge(code: string, nowMs: number): SetupState {
    if (!this.pending || this.isBeingUsed) return "done";
    if (!timingSafeEqual(digest(code), this.pending.codeHash)) return "code-wrong";
    return nowMs < this.pending.untilMs ? "open" : "code-expired";
  }

  /**
   * Ends the set-up, for one of those that come with the right code at once. When `setPassword` fails, the code works again.
   * @returns the state that the code was in; only with "open" was anything done.
   */
  async use(
    code: string,
    nowMs: number,
    setPassword: (userId: number) => Promise<void>,
  ): Promise<SetupState> {
    const state = this.judge(code, nowMs);
    if (state !== "open" || !this.pending) return state;
    this.isBeingUsed = true;
    try {
      await setPassword(this.pending.userId);
      this.pending = undefined;
    } finally {
      this.isBeingUsed = false;
    }
    return state;
  }
}
