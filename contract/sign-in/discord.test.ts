import { expect, it } from "vitest";
import { discordExchange } from "./discord";
import { BACK, runExchange } from "./testing/run-exchange";

const OPTIONS = { DiscordClientId: "id", DiscordClientSecret: "secret" };
const GRANT = { access_token: "grant" };
const USER = { id: "80351110224678912", username: "ann", global_name: "Ann", email: "a@b.c", verified: true };

it("gives a grant for the code, and for the grant the account", async () => {
  const { found, asked } = await runExchange(discordExchange, OPTIONS, [GRANT, USER]);
  expect(found).toEqual({ subject: "80351110224678912", displayName: "Ann", email: "a@b.c" });
  expect(asked.map(({ url }) => url)).toEqual([
    "https://discord.com/api/oauth2/token",
    "https://discord.com/api/users/@me",
  ]);
  expect(Object.fromEntries(new URLSearchParams(asked[0]?.body))).toEqual({
    ...{ grant_type: "authorization_code", code: "c/1 &", redirect_uri: BACK },
    ...{ client_id: "id", client_secret: "secret" },
  });
});

it("takes no address that is not verified", async () => {
  for (const verified of [false, undefined, "true"]) {
    const { found } = await runExchange(discordExchange, OPTIONS, [GRANT, { ...USER, verified }]);
    expect(found).toMatchObject({ email: "" });
  }
});

it.each([
  [[{}], "unreachable"],
  [[GRANT, undefined], "unreachable"],
  [[GRANT, { ...USER, id: 7 }], "nobody"],
  [[GRANT, { ...USER, id: "ann" }], "nobody"],
])("is told from an account: %j", async (answers, outcome) => {
  expect((await runExchange(discordExchange, OPTIONS, answers)).found).toBe(outcome);
});
