import { RateLimit } from "../../http/rate-limit";

/** Who tries to sign in. */
export interface SignInAttempt {
  username: string;
  /** Where it comes from, as limits count it. */
  subscriber: string;
  /** The account of that name; undefined when there is none. */
  userId: number | undefined;
  /** The device on which this account was signed in before; undefined for a device that is not known. */
  deviceId: string | undefined;
  /** Whether the account is signed in from the same address. */
  isKnownAddress: boolean;
}

/**
 * How often a password may be guessed: so often per device that the account knows; by strangers so often per address and so
 * often per account, from wherever they come. Strangers' guesses so never keep the owner out who comes with a known device,
 * even from an address that strangers share, or from where the account is signed in
 * (https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies).
 */
export class SignInLimits {
  private readonly devices: RateLimit;
  private readonly accounts: RateLimit;
  /** Apart from accounts, so that made-up names do not push out what is remembered of real ones. */
  private readonly unknownNames: RateLimit;

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
  }

  /**
   * Counts an attempt before it is known whether it is right, so that many at once count as many.
   * @returns what takes the count back when it was right, or was not looked at; or how many milliseconds it has to wait.
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
}
