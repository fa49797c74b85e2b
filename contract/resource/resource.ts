import * as z from "zod/mini";
import { looseList } from "../management/wire";
import { codecOf, type Fields, schemasOf, toWireNames } from "./fields";

/** How values of one kind travel in answers. */
export interface WireFormat<Value, Wire = unknown> {
  /** The shape that this server answers, for the API's description. */
  readonly schema: z.ZodMiniType<Wire>;
  encode(value: Value): Wire;
  /** Reads a value from any server's answer; undefined when it is no such value. */
  read(value: unknown): Value | undefined;
}

/** The value that a format carries. */
export type ValueOf<Format> = Format extends WireFormat<infer Value, infer _> ? Value : never;

/** The format of objects with these fields. Fields that an answer lacks are read as their neutral values. */
export const resource = /* @__NO_SIDE_EFFECTS__ */ <F extends Fields>(fields: F) => {
  const loose = codecOf(fields, schemasOf(fields, "loose"));
  type Value = z.output<typeof loose>;
  const schema = z.object(toWireNames(fields, schemasOf(fields, "strict")));
  return {
    schema,
    encode: (value: Value) => toWireNames(fields, value),
    read: (value: unknown): Value | undefined => {
      const parsed = loose.safeParse(value);
      return parsed.success ? parsed.data : undefined;
    },
  };
};

/** The format of a list. Items that cannot be read are left out; anything but a list is read as an empty one. */
export const listOf = /* @__NO_SIDE_EFFECTS__ */ <Value, Wire>(
  item: WireFormat<Value, Wire>,
): WireFormat<Value[], Wire[]> => ({
  schema: z.array(item.schema),
  encode: (values) => values.map(item.encode),
  read: looseList(item.read),
});
