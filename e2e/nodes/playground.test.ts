import { addUser } from "@tollgate/demo/build-world";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readUsage, type Session, signIn } from "../api/relay/stage";
import { answerAsAsked } from "./client-book";
import { MODEL, priceOf, type Site, startSite } from "./site";

/* A session reaches models on every node, and its user pays from one balance. */

const PASSWORD = "password-1";
const USE = { input: 10, output: 10 };

let site: Site;

beforeAll(async () => {
  site = await startSite({ nodes: 2 });
  answerAsAsked(site.upstream, 0);
});

afterAll(() => site?.close());

const urlOf = (node: number): string => site.nodes[node]?.url ?? "";

const newPerson = async (name: string, quota: number): Promise<number> =>
  (await addUser(site.root, (user, password) => signIn(urlOf(0), user, password), name, { quota })).id;

const ask = async (node: number, { cookie }: Session): Promise<number> => {
  const response = await fetch(`${urlOf(node)}/pg/v1/chat/completions`, {
    method: "POST",
    headers: { cookie, "content-type": "application/json", "x-playground-group": "" },
    body: JSON.stringify({
      model: MODEL,
      messages: [{ role: "user", content: `uses ${USE.input} and ${USE.output}` }],
      max_tokens: USE.output,
    }),
  });
  await response.text();
  return response.status;
};

const quotaOf = async (id: number): Promise<number> =>
  (await site.root.data<{ quota: number }>("GET", `/api/user/${id}`)).quota;

describe("on two nodes", () => {
  it("a session of a moment ago is known on the other one, and its end as well", async () => {
    const id = await newPerson("alice", 1_000_000);
    const session = await signIn(urlOf(0), "alice", PASSWORD);
    expect(await ask(1, session)).toBe(200);
    await expect.poll(() => quotaOf(id)).toBe(1_000_000 - priceOf(USE));
    await session.api("GET", "/api/user/logout");
    expect(await ask(0, session)).toBe(401);
    await expect.poll(() => ask(1, session)).toBe(401);
  });

  it("parallel requests never take more than the balance, and each charge has a line", async () => {
    const balance = 3 * priceOf(USE) + 1;
    const id = await newPerson("bob", balance);
    const sessions = [await signIn(urlOf(0), "bob", PASSWORD), await signIn(urlOf(1), "bob", PASSWORD)];
    const all = await Promise.all(
      Array.from({ length: 12 }, (_, index) => ask(index % 2, sessions[index % 2] as Session)),
    );
    const served = all.filter((status) => status === 200).length;
    expect(served).toBeGreaterThan(0);
    const lines = async () => await readUsage(site.root, "username=bob");
    await expect.poll(async () => (await lines()).length).toBe(served);
    const spent = (await lines()).reduce((sum, { quota }) => sum + quota, 0);
    await expect.poll(() => quotaOf(id)).toBe(balance - spent);
    expect(balance - spent).toBeGreaterThanOrEqual(0);
    expect(new Set((await lines()).map(({ token_name: name }) => name))).toEqual(new Set(["Playground"]));
  });
});
