import * as z from "zod/mini";
import { exchangeOf } from "./exchange-code";
import { askForToken } from "./oauth-token";
import { defineSignInMethod } from "./sign-in-method";

/** https://connect.linux.do; the names of options and fields are new-api's. */
export const linuxdo = defineSignInMethod({
  name: "linuxdo",
  title: "LINUX DO",
  userField: "linux_do_id",
  isExtra: true,
  switch: {
    option: "LinuxDOOAuthEnabled",
    needs: ["LinuxDOClientId", "LinuxDOClientSecret"],
    status: "linuxdo_oauth",
  },
  options: {
    LinuxDOClientId: { type: "text", status: "linuxdo_client_id" },
    LinuxDOClientSecret: { type: "secret" },
    /** From 0 to 4; "" for all. */
    LinuxDOMinimumTrustLevel: { type: "text", hasHint: true },
  },
  entry: {
    kind: "redirect",
    consent: (told, back) => ({
      address: "https://connect.linux.do/oauth2/authorize",
      query: { client_id: told.linuxdo_client_id, response_type: "code", redirect_uri: back },
    }),
  },
});

export const linuxdoExchange = exchangeOf(linuxdo, {
  addresses: { LINUXDO_URL: "https://connect.linux.do" },
  async identify(tools) {
    const { option, address, ask } = tools;
    const client = { id: option("LinuxDOClientId"), secret: option("LinuxDOClientSecret") };
    const token = await askForToken(tools, `${address("LINUXDO_URL")}/oauth2/token`, client, true);
    if (token === undefined) return "unreachable";
    const answer = await ask(`${address("LINUXDO_URL")}/api/user`, {
      headers: { authorization: `Bearer ${token}`, accept: "application/json" },
    });
    if (answer === undefined) return "unreachable";
    const user = z
      .object({
        id: z.int().check(z.positive()),
        name: z.catch(z.string(), ""),
        username: z.catch(z.string(), ""),
        active: z.catch(z.boolean(), true),
        trust_level: z.catch(z.int(), 0),
      })
      .safeParse(answer);
    if (!user.success) return "nobody";
    const { id, name, username, active, trust_level: level } = user.data;
    // A least level that is no number admits no person.
    if (!active || !(level >= Number(option("LinuxDOMinimumTrustLevel")))) return "not-admitted";
    return { subject: String(id), displayName: name || username || "LinuxDO User" };
  },
});
