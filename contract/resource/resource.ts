import * as z from "zod/mini";
import { looseList } from "../management/wire";
import { codecOf, type Fields, type FieldValues, schemasOf, toWireNames } from "./fields";

/** How values of one kind travel in answers. */
export interface WireFormat<Value, Wire = unknown> {
  /** The shape that this server answers, for the API's description. */
  readonly schema: z.ZodMiniType<Wire>;
  encode(value: Value): Wire;
  /** Reads a value from any server's answer; undefined when it is no such value. */
  read(value: unknown): Value | undefined;
  /** Whether an answer without such a value is read as undefined, where it is unreadable otherwise. */
  readonly isOptional?: boolean;
}

/** The value that a format carries. */
export type ValueOf<Format> = Format extends WireFormat<infer Value, infer _> ? Value : never;

/** The value of a format as it travels. */
export type WireOf<Format extends { schema: z.ZodMiniType }> = z.output<Format["schema"]>;

/** The format of objects with these fields. Fields that an answer lacks are read as their neutral values. */
export const resource = /* @__NO_SIDE_EFFECTS__ */ <F extends Fields>(fields: F) => {
  const loose = codecOf(fields, schemasOf(fields, "loose"));
  type Value = z.output<typeof loose>;
  const schema = z.object(toWireNames(fields, schemasOf(fields, "strict")));
  return {
    schema,
    encode: (value: FieldValues<F>) => toWireNames(fields, value),
    read: (value: unknown): Value | undefined => {
      const parsed = loose.safeParse(value);
      return parsed.success ? parsed.data : undefined;
    },
  };
};

/** A format whose values are given in one shape, and read in another. */
interface BaseFormat<Given, Read, Schema extends z.ZodMiniType> {
  readonly schema: Schema;
  encode(value: Given): z.output<Schema>;
  read(value: unknown): Read | undefined;
}

interface Mapping<Given, Read, Value> {
  encode(value: Value): Given;
  read(fields: Read): Value;
}

/** The format of a resource whose inner values differ from its fields. */
export const mapped = /* @__NO_SIDE_EFFECTS__ */ <Value, Given, Read, Schema extends z.ZodMiniType>(
  base: BaseFormat<Given, Read, Schema>,
  { encode, read }: Mapping<Given, Read, Value>,
) => ({
  schema: base.schema,
  encode: (value: Value): z.output<Schema> => base.encode(encode(value)),
  read: (value: unknown): Value | undefined => {
    const fields = base.read(value);
    return fields === undefined ? undefined : read(fields);
  },
});

/** The format of a list. Items that cannot be read are left out; anything but a list is read as an empty one. */
export const listOf = /* @__NO_SIDE_EFFECTS__ */ <Value, Wire>(
  item: WireFormat<Value, Wire>,
): WireFormat<Value[], Wire[]> => ({
  schema: z.array(item.schema),
  encode: (values) => values.map(item.encode),
  read: looseList(item.read),
});

/** The format of a value that other servers do not answer. */
export const optional = /* @__NO_SIDE_EFFECTS__ */ <Value>(
  format: WireFormat<Value>,
): WireFormat<Value | undefined> => ({
  schema: format.schema,
  encode: (value) => (value === undefined ? undefined : format.encode(value)),
  read: format.read,
  isOptional: true,
});

/**
 * Reads values that fit a schema.
 * @param otherwise stands for all others
 */
export const readerOf =
  /* @__NO_SIDE_EFFECTS__ */
    <Schema extends z.ZodMiniType>(schema: Schema, otherwise?: z.output<Schema>) =>
    (value: unknown): z.output<Schema> | undefined => {
      const parsed = schema.safeParse(value);
      return parsed.success ? parsed.data : otherwise;
    };

/**
 * The format of values that have the same names inside as on the wire.
 * @param read reads answers of other servers and older versions; values that fit `schema` do not need it
 */
export const plain = /* @__NO_SIDE_EFFECTS__ */ <Schema extends z.ZodMiniType>(
  schema: Schema,
  read: (value: unknown) => z.output<Schema> | undefined = readerOf(schema),
) => ({
  schema,
  encode: (value: z.output<Schema>): z.output<Schema> => value,
  read,
});

/** A text by itself. */
export const textValue: WireFormat<string> = {
  schema: z.string(),
  encode: (value) => value,
  read: (value) => (typeof value === "string" ? value : undefined),
};

/** A number by itself, also where it arrives as text. */
const readNumber = (value: unknown): number | undefined => {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
};

/** A whole number by itself. */
export const count: WireFormat<number> = { schema: z.int(), encode: (value) => value, read: readNumber };
