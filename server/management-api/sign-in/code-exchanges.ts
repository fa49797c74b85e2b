import { isOptionKey } from "@tollgate/contract/options/options";
import type { ExternalAccount } from "@tollgate/contract/sign-in/exchange-code";
import { CODE_EXCHANGES } from "@tollgate/contract/sign-in/exchanges";
import type { SignInMethod } from "@tollgate/contract/sign-in/methods";
import { stripEnd } from "@tollgate/contract/values/strip-end";
import { fetchJson } from "@tollgate/relay/transport/guarded-fetch";
import type { Options } from "../../state/options";
import { Failure } from "../failure";
import { isSubject } from "./is-subject";
import { signInFailure } from "./sign-in-failure";

/** Makes accounts elsewhere of the codes that people bring. */
export interface CodeExchanges {
  /**
   * Returns the account that a code stands for.
   * @param code never "".
   * @throws Failure when it names no user.
   */
  identify(method: SignInMethod, code: string): Promise<ExternalAccount>;
}

/** @param addresses where the methods' services are, by the names that their exchanges give them. */
export const createCodeExchanges = (
  options: Pick<Options, "text" | "serverAddress">,
  addresses: Readonly<Record<string, string>>,
  exchanges: typeof CODE_EXCHANGES = CODE_EXCHANGES,
): CodeExchanges => ({
  async identify(method, code) {
    const account = await exchanges[method.name].identify({
      code,
      option: (key) => (isOptionKey(key) ? options.text(key) : ""),
      address: (name) => stripEnd(addresses[name] ?? "", "/"),
      back: `${options.serverAddress()}/oauth/${method.name}`,
      encodeBase64: (text) => Buffer.from(text).toString("base64"),
      ask: fetchJson,
    });
    if (account === "code-wrong") throw new Failure("code-invalid");
    if (account === "not-admitted") throw signInFailure(method, "group");
    if (account === "unreachable" || account === "nobody") throw signInFailure(method, account);
    if (!isSubject(account.subject)) throw signInFailure(method, "nobody");
    return account;
  },
});
