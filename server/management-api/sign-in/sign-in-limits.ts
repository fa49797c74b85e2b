import { RateLimit } from "../../http/rate-limit";

/** An attempt to sign in. */
export interface SignInAttempt {
  username: string;
  /** The caller's network, the unit of rate limits. */
  subscriber: string;
  /** The account with that name; undefined if it does not exist. */
  userId: number | undefined;
  /** The device on which this account was signed in before; undefined for a device that is not known. */
  deviceId: string | undefined;
  isKnownAddress: boolean;
}

/** An attempt to show the second factor, after a right password or in a session. */
export type CodeAttempt = Pick<SignInAttempt, "subscriber" | "deviceId"> & { userId: number };

const QUARTER_HOUR_MS = 15 * 60_000;
const DAY_MS = 86_400_000;
/** Wrong codes of one device, or of all strangers to an account, in a quarter of an hour. */
const CODES_A_QUARTER = 5;
/** Wrong codes of strangers to an account in a day. A guess is right in 3 of 1,000,000 cases (RFC 4226, section 7.3). */
const CODES_OF_STRANGERS = 30;
/** Those of all its known devices together: a person may have signed in on many before there was a second factor. */
const CODES_OF_DEVICES = 100;

/**
 * Limits password guesses per known device of an account; for strangers per address and per account, over all
 * addresses. So strangers' guesses never lock out the owner on a known device, even from a shared address, or at an
 * address where the account is signed in
 * (https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies).
 */
export class SignInLimits {
  private readonly devices: RateLimit;
  private readonly accounts: RateLimit;
  /** Separate from accounts, so that made-up names do not evict the counts of real ones. */
  private readonly unknownNames: RateLimit;
  private readonly codes: RateLimit;
  private readonly codesOfStrangers: RateLimit;
  private readonly codesOfDevices: RateLimit;

  /**
   * @param critical the limit of each address, which sign-ins share with other critical calls.
   * @param calls wrong guesses per window and device; strangers have twice as many per account. 0 for no limit.
   * @param nodes how many live: each takes its part of them.
   */
  constructor(
    private readonly critical: RateLimit,
    calls: number,
    windowMs: number,
    nodes?: () => number,
  ) {
    this.devices = new RateLimit(calls, windowMs, nodes);
    this.accounts = new RateLimit(calls * 2, windowMs, nodes);
    this.unknownNames = new RateLimit(calls * 2, windowMs, nodes);
    // Each node's own: a part of five would be a single code.
    this.codes = new RateLimit(CODES_A_QUARTER, QUARTER_HOUR_MS);
    this.codesOfStrangers = new RateLimit(CODES_OF_STRANGERS, DAY_MS, nodes);
    this.codesOfDevices = new RateLimit(CODES_OF_DEVICES, DAY_MS, nodes);
  }

  /**
   * Counts an attempt before its password is checked, so that simultaneous attempts all count.
   * @returns a function that uncounts it, for a correct or unchecked password; or the required wait in milliseconds.
   */
  begin(attempt: SignInAttempt, nowMs: number): (() => void) | number {
    const { username, subscriber, userId, deviceId, isKnownAddress } = attempt;
    // A device that has used up its own guesses is a stranger like others.
    if (deviceId !== undefined && this.devices.take(deviceId, nowMs) === 0) {
      return () => this.devices.giveBack(deviceId);
    }
    const waitOfAddressMs = this.critical.take(subscriber, nowMs);
    if (waitOfAddressMs > 0) return waitOfAddressMs;
    if (isKnownAddress && deviceId === undefined) return () => undefined;
    const limit = userId === undefined ? this.unknownNames : this.accounts;
    const caller = userId === undefined ? username : String(userId);
    const waitMs = limit.take(caller, nowMs);
    return waitMs > 0 ? waitMs : () => limit.giveBack(caller);
  }

  /** Counts a passkey's signature before it is checked, like `begin`: those of an address alone, as none is guessed. */
  beginPasskey(subscriber: string, nowMs: number): (() => void) | number {
    const waitMs = this.critical.take(subscriber, nowMs);
    return waitMs > 0 ? waitMs : () => this.critical.giveBack(subscriber);
  }

  /**
   * Counts a code before it is compared, like `begin`. A person who has the password and guesses codes keeps the owner
   * out of new devices, and not of one on which the account was signed in.
   */
  beginCode({ userId, subscriber, deviceId }: CodeAttempt, nowMs: number): (() => void) | number {
    const counts: [RateLimit, string][] =
      deviceId === undefined
        ? [
            [this.critical, subscriber],
            [this.codes, String(userId)],
            [this.codesOfStrangers, String(userId)],
          ]
        : [
            [this.codes, `${userId} ${deviceId}`],
            [this.codesOfDevices, String(userId)],
          ];
    const giveBack = (taken: typeof counts): void => {
      for (const [limit, caller] of taken) limit.giveBack(caller);
    };
    for (const [at, [limit, caller]] of counts.entries()) {
      const waitMs = limit.take(caller, nowMs);
      if (waitMs === 0) continue;
      giveBack(counts.slice(0, at));
      return waitMs;
    }
    return () => giveBack(counts);
  }
}
