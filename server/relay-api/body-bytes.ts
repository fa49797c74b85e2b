import type { Refusal } from "@tollgate/relay/ports/client";
import type { RequestMemory } from "@tollgate/relay/ports/limits";

/** Memory used by one request's body and the content fetched for it. */
export interface BodyShare extends RequestMemory {
  /** Releases all of it, unless it is kept; may be called twice. */
  release(): void;
}

/** One user may take up this part of the memory for bodies. */
const PART_OF_USER = 4;

/** A user with at most this part keeps text for counting, however much others hold: dropping it costs more. */
const PART_LEFT_ALONE = 256;

const REFUSED: Refusal = { code: "bodies-full" };

/**
 * Limits the bodies of running requests, per user and in total: each is kept until its answer has ended, in case
 * another upstream has to be tried. Received bytes count, not announced ones. Buffered answers count as well, so that a
 * user whose clients do not read is refused more.
 */
export class BodyBytes {
  private total = 0;
  private readonly byUser = new Map<number, number>();

  /** @param limitBytes for all together. */
  constructor(private readonly limitBytes: number) {}

  /** Bytes currently held. */
  get held(): number {
    return this.total;
  }

  open(userId: number): BodyShare {
    let taken = 0;
    let ofAnswer = 0;
    let keepers = 0;
    let isReleased = false;
    const giveBack = (): void => {
      if (taken === 0 || !isReleased || keepers > 0) return;
      const left = (this.byUser.get(userId) ?? 0) - taken;
      if (left > 0) this.byUser.set(userId, left);
      else this.byUser.delete(userId);
      this.total -= taken;
      taken = 0;
    };
    const limitOfUser = Math.floor(this.limitBytes / PART_OF_USER);
    return {
      take: (bytes) => {
        // No code would give it back.
        if (isReleased && keepers === 0) return REFUSED;
        const ofUser = (this.byUser.get(userId) ?? 0) + bytes;
        // A single body always fits the user's part, for any limits.
        if (ofUser > limitOfUser && ofUser - bytes > taken)
          return { code: "bodies-limited", params: { limit: String(limitOfUser) } };
        if (this.total + bytes > this.limitBytes && this.total > taken) return REFUSED;
        this.byUser.set(userId, ofUser);
        this.total += bytes;
        taken += bytes;
        return undefined;
      },
      hold: (bytes) => {
        // No code would give it back.
        if (isReleased && keepers === 0) return true;
        const more = bytes - ofAnswer;
        const ofUser = (this.byUser.get(userId) ?? 0) + more;
        ofAnswer = bytes;
        taken += more;
        this.total += more;
        this.byUser.set(userId, ofUser);
        const isLeftAlone = ofUser <= this.limitBytes / PART_LEFT_ALONE;
        return isLeftAlone || (ofUser <= limitOfUser && this.total <= this.limitBytes);
      },
      keep: () => {
        keepers += 1;
        let isKept = true;
        return () => {
          if (!isKept) return;
          isKept = false;
          keepers -= 1;
          giveBack();
        };
      },
      release: () => {
        isReleased = true;
        giveBack();
      },
    };
  }
}
