import * as z from "zod/mini";
import { exchangeOf } from "./exchange-code";
import { askForToken } from "./oauth-token";
import { defineSignInMethod } from "./sign-in-method";

/** https://discord.com/developers/docs/topics/oauth2 and https://discord.com/developers/docs/resources/user */
export const discord = defineSignInMethod({
  name: "discord",
  title: "Discord",
  userField: "discord_id",
  isExtra: true,
  switch: {
    option: "DiscordOAuthEnabled",
    needs: ["DiscordClientId", "DiscordClientSecret"],
    status: "discord_oauth",
  },
  options: {
    DiscordClientId: { type: "text", status: "discord_client_id" },
    DiscordClientSecret: { type: "secret" },
  },
  entry: {
    kind: "redirect",
    consent: (told, back) => ({
      address: "https://discord.com/oauth2/authorize",
      query: {
        client_id: told.discord_client_id,
        response_type: "code",
        redirect_uri: back,
        scope: "identify email",
      },
    }),
  },
});

export const discordExchange = exchangeOf(discord, {
  addresses: { DISCORD_URL: "https://discord.com" },
  async identify(tools) {
    const { option, address, ask } = tools;
    const client = { id: option("DiscordClientId"), secret: option("DiscordClientSecret") };
    const token = await askForToken(tools, `${address("DISCORD_URL")}/api/oauth2/token`, client);
    if (token === undefined) return "unreachable";
    const answer = await ask(`${address("DISCORD_URL")}/api/users/@me`, {
      headers: { authorization: `Bearer ${token}` },
    });
    if (answer === undefined) return "unreachable";
    const user = z
      .object({
        /** A number with more digits than JavaScript counts. */
        id: z.string().check(z.regex(/^[1-9]\d{0,30}$/)),
        global_name: z.catch(z.string(), ""),
        username: z.catch(z.string(), ""),
        email: z.catch(z.string(), ""),
        verified: z.catch(z.boolean(), false),
      })
      .safeParse(answer);
    if (!user.success) return "nobody";
    const { id, global_name: name, username, email, verified } = user.data;
    return { subject: id, displayName: name || username || "Discord User", email: verified ? email : "" };
  },
});
