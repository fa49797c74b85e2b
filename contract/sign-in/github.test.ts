import { describe, expect, it } from "vitest";
import { github, githubExchange } from "./github";
import { runExchange } from "./testing/run-exchange";

const OPTIONS = { GitHubClientId: "id", GitHubClientSecret: "secret" };
const GRANT = { access_token: "grant", token_type: "bearer" };
const OCTO = { id: 583231, login: "octocat", name: "The Octocat", email: "octo@example.com" };

const find = async (...answers: unknown[]) => (await runExchange(githubExchange, OPTIONS, answers)).found;

describe("GitHub", () => {
  it("is asked for consent to read the user's e-mail address", () => {
    if (github.entry.kind !== "redirect") throw new Error("GitHub has a page of its own");
    expect(github.entry.consent({ github_client_id: "id" }, "")).toEqual({
      address: "https://github.com/login/oauth/authorize",
      query: { client_id: "id", scope: "user:email" },
    });
  });

  it("gives a grant for the code, and for the grant the account", async () => {
    const { found, asked } = await runExchange(githubExchange, OPTIONS, [GRANT, OCTO]);
    expect(found).toEqual({ subject: "583231", displayName: "The Octocat", email: "octo@example.com" });
    expect(asked).toEqual([
      {
        url: "https://github.com/login/oauth/access_token",
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json" },
        body: JSON.stringify({ client_id: "id", client_secret: "secret", code: "c/1 &" }),
      },
      {
        url: "https://api.github.com/user",
        headers: { authorization: "Bearer grant", "user-agent": "tollgate" },
      },
    ]);
  });

  it("may leave out the name and the address", async () => {
    expect(await find(GRANT, { id: 1, name: null })).toEqual({
      subject: "1",
      displayName: "GitHub User",
      email: "",
    });
  });

  it.each([
    [undefined],
    [{ error: "bad_verification_code" }],
    [{ access_token: "" }],
    [{ access_token: 7 }],
    [[]],
    [GRANT, undefined],
  ])("that gives no grant, or does not answer, counts as out of reach: %j", async (...answers) => {
    expect(await find(...answers)).toBe("unreachable");
  });

  it.each([
    { message: "Bad credentials" },
    null,
    "",
    [OCTO],
    { ...OCTO, id: "" },
    { ...OCTO, id: "583231" },
    { ...OCTO, id: 0 },
    { ...OCTO, id: -1 },
    { ...OCTO, id: 1.5 },
    // A number that JavaScript cannot tell from its neighbours.
    { ...OCTO, id: 2 ** 53 },
    { ...OCTO, id: null },
  ])("identifies no user without a valid account number: %j", async (answer) => {
    expect(await find(GRANT, answer)).toBe("nobody");
  });
});
