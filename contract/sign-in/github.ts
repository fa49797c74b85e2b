import * as z from "zod/mini";
import { exchangeOf } from "./exchange-code";
import { defineSignInMethod } from "./sign-in-method";

/** https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps */
export const github = defineSignInMethod({
  name: "github",
  title: "GitHub",
  userField: "github_id",
  switch: {
    option: "GitHubOAuthEnabled",
    needs: ["GitHubClientId", "GitHubClientSecret"],
    status: "github_oauth",
  },
  options: {
    GitHubClientId: { type: "text", status: "github_client_id" },
    GitHubClientSecret: { type: "secret" },
  },
  entry: {
    kind: "redirect",
    consent: (told) => ({
      address: "https://github.com/login/oauth/authorize",
      query: { client_id: told.github_client_id, scope: "user:email" },
    }),
  },
});

export const githubExchange = exchangeOf(github, {
  addresses: { GITHUB_URL: "https://github.com", GITHUB_API_URL: "https://api.github.com" },
  async identify({ code, option, address, ask }) {
    const grant = z.object({ access_token: z.string() }).safeParse(
      await ask(`${address("GITHUB_URL")}/login/oauth/access_token`, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json" },
        body: JSON.stringify({
          client_id: option("GitHubClientId"),
          client_secret: option("GitHubClientSecret"),
          code,
        }),
      }),
    );
    if (!grant.success || grant.data.access_token === "") return "unreachable";
    const answer = await ask(`${address("GITHUB_API_URL")}/user`, {
      headers: { authorization: `Bearer ${grant.data.access_token}`, "user-agent": "tollgate" },
    });
    if (answer === undefined) return "unreachable";
    const user = z
      .object({
        id: z.int().check(z.positive()),
        name: z.catch(z.string(), ""),
        email: z.catch(z.string(), ""),
      })
      .safeParse(answer);
    if (!user.success) return "nobody";
    const { id, name, email } = user.data;
    // The number: a login name can be changed and taken over by another person.
    return { subject: String(id), displayName: name || "GitHub User", email };
  },
});
