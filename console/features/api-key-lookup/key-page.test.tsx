// @vitest-environment happy-dom

import { afterEach, describe, expect, it, vi } from "vitest";
import { screen, waitFor, within } from "../../testing/draw";
import { openConsole } from "../../testing/open-console";

const ON = { "GET /api/status": { key_page: true } };
const SECRET = "sk-abcdef0123456789";

const USAGE = {
  object: "key_usage",
  status: "enabled",
  isValid: true,
  planName: "phone",
  remaining: 0.5,
  unit: "USD",
  quota_per_unit: 500_000,
  key: {
    name: "phone",
    unlimited: false,
    used: 0.1,
    used_quota: 50_000,
    remaining: 0.5,
    remaining_quota: 250_000,
  },
  limits: [
    { scope: "key", limit: "rpm", max: 60, used: 55 },
    { scope: "key", limit: "tpm", max: 1_234_567, used: 12_345 },
    { scope: "key", limit: "daily_quota", max: 500_000, used: 750_000, extra: 500_000, resets_at: 1_000_000 },
  ],
};

const REQUEST = {
  id: "2026112900001",
  created_at: "2026-11-29T10:00:00.000Z",
  model: "gpt-4",
  streamed: true,
  latency: 1500,
  tokens_prompt: 13,
  tokens_completion: 5,
  native_tokens_prompt: 13,
  native_tokens_completion: 5,
  total_cost: 0.01,
  usage: 0.01,
  quota: 5000,
};

const DETAIL = {
  ...REQUEST,
  end: "complete",
  cancelled: false,
  generation_time: 900,
  formula: "13 × 1 + 5 × 2",
};

const ANSWERS: Readonly<Record<string, unknown>> = {
  "/v1/usage": USAGE,
  "/v1/usage/days": {
    object: "list",
    data: [
      {
        ...{ time: 86_400, model: "gpt-4", requests: 3, errors: 1, tokens_prompt: 10, tokens_completion: 20 },
        ...{ usage: 0.01, quota: 5000 },
      },
    ],
  },
  "/v1/generations": { object: "list", data: [REQUEST] },
  "/v1/generation": { data: DETAIL },
  "/v1/models": { object: "list", data: [{ id: "gpt-4" }, { id: "claude" }] },
};

/** The calls of /v1 with their options; all other calls go to the console's own test server. */
const answerKeys = (answers: Readonly<Record<string, unknown>>) => {
  const calls: { url: string; options: RequestInit }[] = [];
  const other = globalThis.fetch;
  vi.stubGlobal("fetch", async (url: string | URL | Request, options: RequestInit = {}) => {
    const { pathname } = new URL(String(url), "http://x");
    if (!pathname.startsWith("/v1/")) return other(url, options);
    calls.push({ url: String(url), options });
    const answer = answers[pathname];
    if (answer instanceof Response) return answer.clone();
    return Response.json(answer ?? {}, { status: answer === undefined ? 404 : 200 });
  });
  return calls;
};

afterEach(() => vi.unstubAllGlobals());

const openPage = async (answers: Readonly<Record<string, unknown>> = ANSWERS) => {
  const stage = await openConsole("/key", ON, 0);
  const calls = answerKeys(answers);
  const paste = async (key: string) => {
    await stage.person.type(screen.getByLabelText(/^令牌/), key);
    await stage.person.click(screen.getByRole("button", { name: "查询" }));
  };
  return { ...stage, calls, paste };
};

describe("the page of a key", () => {
  it("says that it is off, for a site that does not offer it", async () => {
    await openConsole("/key", { "GET /api/status": {} }, 0);
    expect(await screen.findByText("令牌查询未开放")).toBeTruthy();
    expect(screen.queryByLabelText(/^令牌/)).toBeNull();
  });

  it("shows balance, limits, models, usage and requests of a pasted key", async () => {
    const { paste, person } = await openPage();
    await paste(` ${SECRET} `);
    expect(await screen.findByText("phone")).toBeTruthy();
    expect(await screen.findByText("55 / 60")).toBeTruthy();
    expect(screen.getByText("12,345 / 1,234,567")).toBeTruthy();
    expect(screen.getByText(/^剩余 .+ · 超预算额度剩余 .+，共 .+ · .*1970-01-12/)).toBeTruthy();
    expect(await screen.findByText("claude")).toBeTruthy();
    const use = within(await screen.findByRole("table", { name: "最近 30 天的用量" }));
    expect(use.getAllByRole("row").at(-1)?.textContent).toContain("4");
    await person.click(screen.getByRole("radio", { name: "按天" }));
    expect(use.getAllByRole("row")[1]?.textContent).toContain("1970-01-02");
    await person.click(await screen.findByRole("button", { name: `回执 ${REQUEST.id}` }));
    const receipt = within(await screen.findByRole("dialog", { name: "回执" }));
    expect(await receipt.findByText("13 × 1 + 5 × 2")).toBeTruthy();
    expect(receipt.getByText("完整送达")).toBeTruthy();
  });

  it("sends the key in a header alone, without the session, and keeps it nowhere", async () => {
    const { paste, calls, person, router } = await openPage();
    await paste(SECRET);
    await screen.findByText("claude");
    await waitFor(() => expect(calls.length).toBe(4));
    for (const { url, options } of calls) {
      expect(url).not.toContain("abcdef");
      expect(options).toMatchObject({
        credentials: "omit",
        cache: "no-store",
        referrerPolicy: "no-referrer",
        headers: { Authorization: `Bearer ${SECRET}` },
      });
    }
    expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain("abcdef");
    expect(router.state.location.href).toBe("/key");
    expect(document.body.innerHTML).not.toContain("abcdef");
    await person.click(screen.getByRole("button", { name: "更换令牌" }));
    expect(screen.getByLabelText<HTMLInputElement>(/^令牌/).value).toBe("");
  });

  it("says why a key is refused, and asks again for the same one", async () => {
    const refusal = { error: { message: "无效的令牌", code: "invalid_api_key" } };
    const { paste, calls, person } = await openPage({ "/v1/usage": Response.json(refusal, { status: 401 }) });
    await paste(SECRET);
    expect(await screen.findByText("无效的令牌")).toBeTruthy();
    await person.click(screen.getByRole("button", { name: "查询" }));
    await waitFor(() => expect(calls).toHaveLength(2));
    expect(screen.queryByText("phone")).toBeNull();
  });

  it("does not send what cannot be a key", async () => {
    const { paste, calls } = await openPage();
    await paste("钥匙 one two");
    expect(await screen.findByText(/请粘贴完整的令牌/)).toBeTruthy();
    expect(calls).toEqual([]);
  });

  it("says that an expired key's requests are refused, without its models", async () => {
    const { "/v1/models": _models, ...answers } = ANSWERS;
    const { paste } = await openPage({ ...answers, "/v1/usage": { ...USAGE, status: "expired" } });
    await paste(SECRET);
    expect(await screen.findByText("令牌已过期，请求会被拒绝。")).toBeTruthy();
    expect(screen.queryByText(/可用模型/)).toBeNull();
  });
});
