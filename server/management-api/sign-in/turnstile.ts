import { fetchJson } from "@tollgate/relay/transport/guarded-fetch";
import { z } from "zod/mini";
import type { Options } from "../../state/options";
import { Failure } from "../failure";

export interface Turnstile {
  /**
   * Does nothing while the check is off.
   * @throws Failure when the token is missing or refused.
   */
  check(token: string, address: string): Promise<void>;
}

const answerSchema = z.object({ success: z.boolean() });

/** https://developers.cloudflare.com/turnstile/get-started/server-side-validation/ */
export const createTurnstile = (options: Options, url: string): Turnstile => ({
  async check(token, address) {
    if (!options.isOn("TurnstileCheckEnabled")) return;
    if (token === "") throw new Failure("turnstile-missing");
    const answer = answerSchema.safeParse(
      await fetchJson(url, {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({
          secret: options.text("TurnstileSecretKey"),
          response: token,
          remoteip: address,
        }).toString(),
      }),
    );
    if (!answer.success) throw new Failure("turnstile-unreachable");
    if (!answer.data.success) throw new Failure("turnstile-failed");
  },
});
