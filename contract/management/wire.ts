import * as z from "zod/mini";

/*
 * Tolerant codecs for reading a server's answers. The console must work against any server that implements this
 * contract, so a missing, null or oddly typed optional field becomes its neutral value instead of an error.
 */

/** A string; anything else becomes "". */
export const looseString = z.catch(z.string(), "");

/** A finite number, also when it arrives as text. */
export const readableNumber = z.pipe(
  z.transform((value: unknown) => (typeof value === "string" && value.trim() !== "" ? Number(value) : value)),
  z.number(),
);

/** A finite number, also when it arrives as text; anything else becomes 0. */
export const looseNumber = z.catch(readableNumber, 0);

/** A boolean, also as the text "true" or "false". */
export const readableBoolean = z.pipe(
  z.transform((value: unknown) => (value === "true" ? true : value === "false" ? false : value)),
  z.boolean(),
);

/** A boolean, also as the text "true"; anything else becomes false. */
export const looseBoolean = z.catch(readableBoolean, false);

/** A list whose unreadable items are left out; anything that is not a list becomes []. */
export const looseList =
  <T>(read: (item: unknown) => T | undefined) =>
  (value: unknown): T[] => {
    if (!Array.isArray(value)) return [];
    const items: T[] = [];
    for (const item of value) {
      const parsed = read(item);
      if (parsed !== undefined) items.push(parsed);
    }
    return items;
  };

/*
 * Strict codecs for reading a client's bodies. `null` means absent (contract section 6.2); numbers are strict (contract
 * section 0.2); unknown fields are ignored.
 */

/** Marks a request field as one that may be left out or null. */
export const maybe = <T extends z.core.$ZodType>(schema: T) =>
  z.pipe(
    z.nullish(schema),
    z.transform((value: z.core.output<T> | null | undefined) => value ?? undefined),
  );

/** A text that may be left out or null, which is "" then. */
export const textOrNone = z.pipe(
  z.nullish(z.string()),
  z.transform((value: string | null | undefined) => value ?? ""),
);

/** A whole number from 0 to the largest safe integer. */
export const wholeNumber = z.int().check(z.nonnegative());

/** A database id in a request body. */
export const idNumber = z.int().check(z.positive());
