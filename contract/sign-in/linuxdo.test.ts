import { expect, it } from "vitest";
import { linuxdoExchange } from "./linuxdo";
import { BACK, runExchange } from "./testing/run-exchange";

const OPTIONS = { LinuxDOClientId: "id", LinuxDOClientSecret: "s:1" };
const GRANT = { access_token: "grant" };
const USER = { id: 7, username: "ann", name: "Ann", active: true, trust_level: 2 };

it("gives a grant for the code, and for the grant the account", async () => {
  const { found, asked } = await runExchange(linuxdoExchange, OPTIONS, [GRANT, USER]);
  expect(found).toEqual({ subject: "7", displayName: "Ann" });
  expect(asked.map(({ url }) => url)).toEqual([
    "https://connect.linux.do/oauth2/token",
    "https://connect.linux.do/api/user",
  ]);
  expect(asked[0]?.headers?.authorization).toBe("Basic base64(id:s%3A1)");
  expect(Object.fromEntries(new URLSearchParams(asked[0]?.body))).toEqual({
    grant_type: "authorization_code",
    code: "c/1 &",
    redirect_uri: BACK,
  });
});

it.each([
  [[{}], "unreachable"],
  [[GRANT, undefined], "unreachable"],
  [[GRANT, { ...USER, id: "7" }], "nobody"],
  [[GRANT, { ...USER, id: 0 }], "nobody"],
  [[GRANT, { ...USER, active: false }], "not-admitted"],
])("is told from an account: %j", async (answers, outcome) => {
  expect((await runExchange(linuxdoExchange, OPTIONS, answers)).found).toBe(outcome);
});

it.each([
  ["", true],
  ["2", true],
  ["3", false],
  // No number admits no person.
  ["two", false],
])("admits level 2 where the least is %j: %s", async (LinuxDOMinimumTrustLevel, isAdmitted) => {
  const options = { ...OPTIONS, LinuxDOMinimumTrustLevel };
  const { found } = await runExchange(linuxdoExchange, options, [GRANT, USER]);
  expect(found !== "not-admitted").toBe(isAdmitted);
});
