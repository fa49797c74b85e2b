import * as z from "zod/mini";
import {
  looseBoolean,
  looseList,
  looseNumber,
  looseString,
  readableBoolean,
  readableNumber,
} from "../management/wire";
import { plain, readerOf } from "./resource";

const hasChecks = (schema: z.core.$ZodType): boolean => (schema._zod.def.checks?.length ?? 0) > 0;

const readable = (schema: z.core.$ZodType): z.core.$ZodType => {
  if (hasChecks(schema)) return schema;
  if (schema instanceof z.ZodMiniNumber) return readableNumber;
  if (schema instanceof z.ZodMiniBoolean) return readableBoolean;
  if (schema instanceof z.ZodMiniObject) {
    const fields: Readonly<Record<string, z.core.$ZodType>> = schema.shape;
    return z.object(
      Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, neutral(field)])),
    );
  }
  if (schema instanceof z.ZodMiniArray) {
    const item = readable(schema.def.element);
    return z.transform(looseList((value) => z.safeParse(item, value).data));
  }
  return schema;
};

const neutral = (field: z.core.$ZodType): z.core.$ZodType => {
  if (field instanceof z.ZodMiniOptional)
    return z.catch(z.optional(readable(field.def.innerType)), undefined);
  if (hasChecks(field)) return field;
  if (field instanceof z.ZodMiniString) return looseString;
  if (field instanceof z.ZodMiniNumber) return looseNumber;
  if (field instanceof z.ZodMiniBoolean) return looseBoolean;
  if (field instanceof z.ZodMiniRecord) return z.catch(field, {});
  return readable(field);
};

/**
 * The reader of any server's answers that follows from this server's schema. An unreadable field becomes its neutral value:
 * "", 0, false, an empty record, a list without its unreadable items, or absent where it may be. A value with a check or of
 * an enumeration has no neutral value: without it, the object is unreadable.
 */
export const looseOf = <Schema extends z.ZodMiniObject>(schema: Schema): z.ZodMiniType<z.output<Schema>> =>
  // Each part of the reader has the output of its part of the schema; the walk over definitions does not carry types.
  readable(schema) as z.ZodMiniType<z.output<Schema>>;

/** The format of objects with the same names inside as on the wire, read from any server's answers (`looseOf`). */
export const tolerant = /* @__NO_SIDE_EFFECTS__ */ <Schema extends z.ZodMiniObject>(schema: Schema) =>
  plain(schema, readerOf(looseOf(schema)));
