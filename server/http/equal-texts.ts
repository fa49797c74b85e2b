import { timingSafeEqual } from "node:crypto";

/** Compares two texts in constant time, so that timing does not reveal their common part. */
export const areEqualTexts = (one: string, other: string): boolean => {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
};
