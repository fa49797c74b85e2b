import * as z from "zod/mini";
import { endpoint } from "../resource/endpoint";
import { tolerant } from "../resource/tolerant";
import { signInOutcome } from "./session";

/** Codes are 32 characters; a longer text is no code. */
const code = z.string().check(z.maxLength(200));

const setupCheckBodySchema = z.object({ code });

/** Root's first password. */
const setupBodySchema = z.object({ code, password: z.string() });

/** State of a code: it sets the password, or the reason why it does not. */
export const SETUP_STATES = ["open", "code-wrong", "code-expired", "done"] as const;
export type SetupState = (typeof SETUP_STATES)[number];

/** The user's name is told with the right code only; "" otherwise. */
const setupSchema = z.object({ state: z.enum(SETUP_STATES), username: z.string() });

export const checkSetup = endpoint({
  method: "POST",
  path: "/api/setup/check",
  guard: "none",
  summary: "Returns the purpose of a set-up link's code; with the right code also the user's name",
  body: setupCheckBodySchema,
  data: tolerant(setupSchema),
  isCritical: true,
  reads: "setup",
});

export const finishSetup = endpoint({
  method: "POST",
  path: "/api/setup",
  guard: "none",
  summary: "Sets root's first password with the code of the set-up link, and signs in",
  body: setupBodySchema,
  data: signInOutcome,
  isCritical: true,
});
