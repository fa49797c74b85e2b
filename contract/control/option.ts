import * as z from "zod/mini";
import { looseList, looseString } from "./wire";

/** A site setting; values are strings on the wire, switches are "true" and "false". */
export interface Option {
  key: string;
  value: string;
}

export const optionWireSchema = z.object({ key: z.string(), value: z.string() });

/** PUT /api/option/: the value must be a JSON string (contract section 1.5). */
export const putOptionBodySchema = z.object({
  key: z.string().check(z.minLength(1), z.maxLength(64)),
  value: z.string().check(z.maxLength(1_000_000)),
});
export type PutOptionBody = z.infer<typeof putOptionBodySchema>;

const optionReader = z.object({ key: z.string(), value: looseString });

export const readOptions = looseList((item): Option | undefined => {
  const parsed = optionReader.safeParse(item);
  return parsed.success ? parsed.data : undefined;
});
