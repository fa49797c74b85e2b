import type { Refusal, RequestMemory } from "@tollgate/relay/ports";

/** What one request's body, and what is fetched for it, take of the memory for all. */
export interface BodyShare extends RequestMemory {
  /** Gives back all of it, unless it is kept; may be called twice. */
  release(): void;
}

/** One user may take up this part of the memory for bodies. */
const PART_OF_USER = 4;

/** A user who holds no more than this part is not told to forget what is counted, however much others hold: it would cost more. */
const PART_LEFT_ALONE = 256;

const REFUSED: Refusal = { code: "bodies-full" };

/**
 * Bounds the bodies of requests under way, by user and of all together: each is kept until its answer has ended, in case
 * another upstream has to be asked. What has arrived counts, not what was announced. What is held of answers counts as well,
 * so that a user whose clients do not read is refused more.
 */
export class BodyBytes {
  private total = 0;
  private readonly byUser = new Map<number, number>();

  /** @param limitBytes for all together. */
  constructor(private readonly limitBytes: number) {}

  /** What is held now, in bytes. */
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
        // A single body always finds room with its user, whatever the bounds are set to.
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
