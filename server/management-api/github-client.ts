import { fetchJson } from "@tollgate/relay/transport/guarded-fetch";
import { z } from "zod/mini";
import type { Options } from "../state/options";
import { Failure } from "./failure";

/** Who signed in at GitHub. */
export interface GithubUser {
  /** GitHub's numeric id as text: a login name can be changed and taken over by somebody else. */
  id: string;
  name: string;
  email: string;
}

export interface GithubClient {
  /** @throws Failure when GitHub cannot be reached or does not name a user. */
  identify(code: string): Promise<GithubUser>;
}

const grantSchema = z.object({ access_token: z.string().check(z.minLength(1)) });
const userSchema = z.object({
  id: z.int().check(z.positive()),
  name: z.catch(z.string(), ""),
  email: z.catch(z.string(), ""),
});

/** https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps */
export const createGithubClient = (options: Options, url: string, apiUrl: string): GithubClient => ({
  async identify(code) {
    const grant = grantSchema.safeParse(
      await fetchJson(`${url}/login/oauth/access_token`, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json" },
        body: JSON.stringify({
          client_id: options.text("GitHubClientId"),
          client_secret: options.text("GitHubClientSecret"),
          code,
        }),
      }),
    );
    if (!grant.success) throw new Failure("github-unreachable");
    const answer = await fetchJson(`${apiUrl}/user`, {
      headers: { authorization: `Bearer ${grant.data.access_token}`, "user-agent": "tollgate" },
    });
    if (answer === undefined) throw new Failure("github-unreachable");
    const user = userSchema.safeParse(answer);
    if (!user.success) throw new Failure("github-user-empty");
    return { id: String(user.data.id), name: user.data.name, email: user.data.email };
  },
});
