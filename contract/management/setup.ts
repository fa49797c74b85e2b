import * as z from "zod/mini";
import { looseString } from "./wire";

/** Codes are 32 characters; whatever is longer is none. */
const code = z.string().check(z.maxLength(200));

/** POST /api/setup/check: what the code of a set-up link is good for. */
export const setupCheckBodySchema = z.object({ code });

/** POST /api/setup: root's first password. */
export const setupBodySchema = z.object({ code, password: z.string() });
export type SetupBody = z.infer<typeof setupBodySchema>;

/** What a code is good for: it sets the password, or it does not because … */
export const SETUP_STATES = ["open", "code-wrong", "code-expired", "done"] as const;
export type SetupState = (typeof SETUP_STATES)[number];

/** The user's name is told to whoever has the code only; "" otherwise. */
export const setupWireSchema = z.object({ state: z.enum(SETUP_STATES), username: z.string() });
export type SetupWire = z.infer<typeof setupWireSchema>;

const setupReader = z.object({ state: z.enum(SETUP_STATES), username: looseString });

/** Reads the answer; undefined from a server that has no set-up. */
export const readSetup = (value: unknown): SetupWire | undefined => {
  const parsed = setupReader.safeParse(value);
  return parsed.success ? parsed.data : undefined;
};
