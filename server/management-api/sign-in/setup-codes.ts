import { createHash, timingSafeEqual } from "node:crypto";
import { randomAlphanumeric } from "@tollgate/accounts/random-text";
import type { SetupState } from "@tollgate/contract/api/setup";

/** Validity of a set-up link. Each start makes a new one, so a day is enough, and an old log opens nothing. */
const VALID_MS = 86_400_000;

/** Letters and digits, 190 bits: unguessable even without rate limits, and terminals link all of it. */
const CODE_LENGTH = 32;

/** The codes that set root's first password. */
export interface SetupCodes {
  /** @param root a value that changes when root gets a password. */
  create(root: string, nowMs: number): string;
  /** Returns a code's state. Compares in constant time. */
  judge(code: string, root: string, nowMs: number): Exclude<SetupState, "done">;
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Codes of a process that is alone with its data: the last one is drawn, and kept in memory alone, as a hash. */
export const drawnCodes = (): SetupCodes => {
  let last: { hash: Buffer; untilMs: number } | undefined;
  return {
    create(_root, nowMs) {
      const code = randomAlphanumeric(CODE_LENGTH);
      last = { hash: digest(code), untilMs: nowMs + VALID_MS };
      return code;
    },
    judge(code, _root, nowMs) {
      if (!last || !timingSafeEqual(digest(code), last.hash)) return "code-wrong";
      return nowMs < last.untilMs ? "open" : "code-expired";
    },
  };
};

/** The time of which a derived code knows: it holds a little less than a day. */
const SPAN_MS = 3_600_000;
const VALID_SPANS = VALID_MS / SPAN_MS;
/** Time for which an expired code is distinguished from a wrong one. */
const KNOWN_SPANS = 7 * VALID_SPANS;

/**
 * Codes of nodes that share their data: the link printed by one node works on all of them, whatever a load balancer
 * does. They are derived from the master key, from root's current state, and from the hour.
 * @param hash keyed, so that only this installation can make one.
 */
export const derivedCodes = (hash: (text: string) => string): SetupCodes => {
  const codeOf = (root: string, span: number): string =>
    hash(JSON.stringify(["root setup", root, span]))
      .replaceAll(/[^A-Za-z0-9]/g, "")
      .slice(0, CODE_LENGTH);
  return {
    create: (root, nowMs) => codeOf(root, Math.floor(nowMs / SPAN_MS)),
    judge(code, root, nowMs) {
      const given = digest(code);
      const span = Math.floor(nowMs / SPAN_MS);
      // One span ahead: another node's clock may be.
      for (let age = -1; age < KNOWN_SPANS; age += 1)
        if (timingSafeEqual(given, digest(codeOf(root, span - age))))
          return age < VALID_SPANS ? "open" : "code-expired";
      return "code-wrong";
    },
  };
};
