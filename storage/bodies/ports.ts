import type { StoredBody } from "./stored-body";

/** What requests and answers said, where the site keeps it; what is asked for later sees what was added before. */
export interface StoredBodies {
  /**
   * Stores what a request and its answer said; where there is too much, the oldest go.
   * @param maxTotalBytes how much may be stored altogether.
   */
  add(body: StoredBody, maxTotalBytes: number): Promise<void>;
  /** @param userId only this user's; undefined for all users'. @returns undefined when nothing is stored. */
  find(requestId: string, userId: number | undefined): Promise<StoredBody | undefined>;
  /** Whether anything is stored of a request. */
  has(requestId: string): Promise<boolean>;
  /** Deletes what is older than a moment. @param timestamp unix seconds. @returns how many bodies. */
  clearBefore(timestamp: number): Promise<number>;
  /** Deletes what a user's requests said. @returns how many bodies. */
  clearUser(userId: number): Promise<number>;
}

/** Bodies that one step deletes: short enough that new ones do not wait long. */
export const BODIES_A_STEP = 500;

/** How far a deletion has come. */
export interface BodyDeletion {
  deleted: number;
  /** False while there may be more. */
  isDone: boolean;
}

/** The same in steps, between which others come: what an engine has to offer. */
export interface BodySteps extends Omit<StoredBodies, "clearBefore" | "clearUser"> {
  /** Deletes some of what is older than a moment. @param timestamp unix seconds. */
  clearBefore(timestamp: number): Promise<BodyDeletion>;
  /** Deletes some of what a user's requests said. */
  clearUser(userId: number): Promise<BodyDeletion>;
}
