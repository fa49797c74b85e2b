import type { StoredBody } from "./stored-body";

/** Texts of requests and answers, where the site keeps them; a query sees all that was added before. */
export interface StoredBodies {
  /**
   * Stores the texts of a request and its answer; above the limit the oldest are deleted.
   * @param maxTotalBytes limit of all stored bytes.
   */
  add(body: StoredBody, maxTotalBytes: number): Promise<void>;
  /** @param userId only this user's; undefined for all users'. @returns undefined when nothing is stored. */
  find(requestId: string, userId: number | undefined): Promise<StoredBody | undefined>;
  /** Whether anything is stored of a request. */
  has(requestId: string): Promise<boolean>;
  /** Deletes bodies older than a moment. @param timestamp unix seconds. @returns how many bodies. */
  clearBefore(timestamp: number): Promise<number>;
  /** Deletes the bodies of a user's requests. @returns how many bodies. */
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

/** The same in steps, between which other calls run; each engine implements this. */
export interface BodySteps extends Omit<StoredBodies, "clearBefore" | "clearUser"> {
  /** Deletes some of the bodies older than a moment. @param timestamp unix seconds. */
  clearBefore(timestamp: number): Promise<BodyDeletion>;
  /** Deletes some of the bodies of a user's requests. */
  clearUser(userId: number): Promise<BodyDeletion>;
}
