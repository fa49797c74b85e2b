import type { User } from "@tollgate/accounts/users";
import type { SetupState } from "@tollgate/contract/api/setup";
import { ROLE_ROOT } from "@tollgate/contract/values/roles";
import { StorageConflict } from "@tollgate/storage/errors";
import { DEFAULT_ROOT_PASSWORD } from "./passwords";
import type { SetupCodes } from "./setup-codes";

/**
 * Root's first password. Until root has one, no sign-in as root works, and the reader of the terminal sets it
 * with the code of the printed link, which works once.
 */
export class RootSetup {
  private pending: { userId: number; passwordHash: string | undefined } | undefined;
  private isBeingUsed = false;

  /**
   * @param allowsDefault whether root may keep the default password, for callers on this machine.
   * @param passwordHashOf a user as it is now: another node may have set the password.
   */
  constructor(
    private readonly allowsDefault: boolean,
    private readonly codes: SetupCodes,
    private readonly passwordHashOf: (userId: number) => string | undefined,
  ) {}

  /** Opens the set-up. @returns the code that ends it. */
  open(userId: number, nowMs: number): string {
    const passwordHash = this.passwordHashOf(userId);
    this.pending = { userId, passwordHash };
    return this.codes.create(`${userId} ${passwordHash}`, nowMs);
  }

  /** The root user that waits for its first password. */
  get pendingUserId(): number | undefined {
    const { pending } = this;
    if (pending && this.passwordHashOf(pending.userId) !== pending.passwordHash) this.pending = undefined;
    return this.pending?.userId;
  }

  /**
   * Whether the correct password may be used to sign in.
   * @param isLocal whether the caller is on this machine; see ClientAddresses.
   */
  admits(member: User, password: string, isLocal: boolean): boolean {
    if (member.id === this.pendingUserId) return false;
    const isDefault = member.role >= ROLE_ROOT && password === DEFAULT_ROOT_PASSWORD;
    return !isDefault || (this.allowsDefault && isLocal);
  }

  /** The current state of a code. */
  judge(code: string, nowMs: number): SetupState {
    const userId = this.pendingUserId;
    if (userId === undefined || this.isBeingUsed) return "done";
    return this.codes.judge(code, `${userId} ${this.passwordHashOf(userId)}`, nowMs);
  }

  /**
   * Ends the set-up, once even for simultaneous calls with the right code, also on several nodes. When `setPassword`
   * fails, the code works again.
   * @param setPassword throws StorageConflict "not-found" if root's password is no longer `passwordHash`.
   * @returns the code's state before; the set-up was done only for "open".
   */
  async use(
    code: string,
    nowMs: number,
    setPassword: (userId: number, passwordHash: string) => Promise<void>,
  ): Promise<SetupState> {
    const state = this.judge(code, nowMs);
    if (state !== "open" || !this.pending) return state;
    this.isBeingUsed = true;
    try {
      await setPassword(this.pending.userId, this.pending.passwordHash ?? "");
      this.pending = undefined;
    } catch (error) {
      // The same link was used on another node in the same moment.
      if (error instanceof StorageConflict && error.kind === "not-found") return "done";
      throw error;
    } finally {
      this.isBeingUsed = false;
    }
    return state;
  }
}
