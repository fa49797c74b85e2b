// @vitest-environment happy-dom

import { CONTRACT_VERSION } from "@tollgate/contract/version";
import { describe, expect, it } from "vitest";
import { fireEvent, screen, waitFor } from "../../testing/draw";
import { openConsole } from "../../testing/open-console";

const STATUS = { version: CONTRACT_VERSION, playground: true, list_queries: true };
const MODELS = Response.json({ data: [{ id: "gpt-4o", traits: ["chat"] }, { id: "dall-e-2" }] });
const SELF = { id: 1, username: "me", quota: 500_000, group: "default" };
const ANSWERS = {
  "GET /api/status": STATUS,
  "GET /pg/v1/models": () => MODELS.clone(),
  "GET /api/user/self": SELF,
  "GET /api/user/groups": {
    groups: [
      { name: "default", description: "", ratio: "1", is_own: true },
      { name: "vip", description: "", ratio: "2", is_own: false },
    ],
    auto: [],
  },
  "GET /api/log/self/receipt": () => Response.json({ success: false, message: "none" }),
};

const chunks = (...contents: string[]): Response =>
  new Response(
    contents.map((content) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`).join(""),
    { headers: { "x-oneapi-request-id": "request-1" } },
  );

const message = () => screen.findByRole<HTMLTextAreaElement>("textbox", { name: "消息" });

describe("the playground", () => {
  it("sends the message of all columns, and shows their answers", async () => {
    const stage = await openConsole(
      "/playground",
      { ...ANSWERS, "POST /pg/v1/chat/completions": () => chunks("Hel", "lo") },
      1,
    );
    await stage.person.click(await screen.findByRole("button", { name: "对比" }));
    await stage.person.type(await message(), "hi{Shift>}{Enter}{/Shift}there{Enter}");
    await waitFor(() => expect(screen.getAllByText("Hello")).toHaveLength(2));
    const sent = stage.calls.filter(({ call }) => call.startsWith("POST /pg/"));
    expect(sent.map(({ body }) => (body as { model: string }).model).sort()).toEqual(["dall-e-2", "gpt-4o"]);
    expect(sent[0]?.body).toMatchObject({
      messages: [{ role: "user", content: "hi\nthere" }],
      stream: true,
    });
    expect(localStorage.getItem("playground_1")).toContain("Hello");
  });

  it("does not send while an input method composes", async () => {
    const stage = await openConsole("/playground", ANSWERS, 1);
    const field = await message();
    await stage.person.type(field, "ni");
    fireEvent.keyDown(field, { key: "Enter", isComposing: true });
    expect(stage.calls.filter(({ call }) => call.startsWith("POST"))).toEqual([]);
  });

  it("shows why a request was refused, and asks again", async () => {
    let asked = 0;
    const stage = await openConsole(
      "/playground",
      {
        ...ANSWERS,
        "POST /pg/v1/chat/completions": () => {
          asked += 1;
          return asked === 1
            ? Response.json({ error: { message: "余额不足" } }, { status: 403 })
            : chunks("served");
        },
      },
      1,
    );
    await stage.person.type(await message(), "hi{Enter}");
    expect(await screen.findByText("余额不足")).toBeTruthy();
    await stage.person.click(screen.getByRole("button", { name: "重试" }));
    await screen.findByText("served");
    expect(screen.queryByText("余额不足")).toBeNull();
  });

  it("leads to the top-up without a balance", async () => {
    await openConsole("/playground", { ...ANSWERS, "GET /api/user/self": { ...SELF, quota: 0 } }, 1);
    expect((await screen.findByRole("link", { name: "去充值" })).getAttribute("href")).toBe("/topup");
  });

  it("says that no model is available", async () => {
    await openConsole(
      "/playground",
      { ...ANSWERS, "GET /pg/v1/models": () => Response.json({ data: [] }) },
      1,
    );
    await screen.findByText("没有可用的模型");
  });

  it("asks nothing of a server that does not offer it", async () => {
    const status = { version: CONTRACT_VERSION };
    const stage = await openConsole("/playground", { ...ANSWERS, "GET /api/status": status }, 1);
    await screen.findByText("试用不可用");
    expect(stage.calls.filter(({ call }) => call.includes("/pg/"))).toEqual([]);
    expect(screen.queryByRole("link", { name: "试用" })).toBeNull();
  });
});
