import { timingSafeEqual } from "node:crypto";

/** Whether two texts are the same. How far they agree is not told by the time that it takes. */
export const areEqualTexts = (one: string, other: string): boolean => {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
};
