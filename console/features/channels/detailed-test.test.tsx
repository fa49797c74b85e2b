// @vitest-environment happy-dom

import { expect, it } from "vitest";
import { screen, within } from "../../testing/draw";
import { openConsole } from "../../testing/open-console";

const CHANNEL = {
  id: 7,
  type: 1,
  name: "seven",
  key: "",
  group: "default",
  models: "model-a,model-b",
  base_url: "",
  other: "",
  model_mapping: "",
  status: 1,
};

const open = async (answers: object) => {
  const stage = await openConsole("/channel/edit/7", {
    "GET /api/channel/7": CHANNEL,
    "GET /api/channel/models": [{ id: "model-a" }],
    "GET /api/group/": ["default"],
    ...answers,
  });
  await stage.person.click(await screen.findByRole("button", { name: "自定义测试…" }));
  return { ...stage, dialog: within(await screen.findByRole("dialog")) };
};

it("sends the chosen test, and shows its answer, times, tokens and cost", async () => {
  const { dialog, person, bodyOf } = await open({
    "GET /api/channel/endpoints/7": ["chat", "embeddings"],
    "POST /api/channel/test/7": {
      ok: true,
      model: "model-b",
      text: "Hello there",
      bytes: 99,
      first_byte_ms: 120,
      duration_ms: 2340,
      prompt_tokens: 3,
      completion_tokens: 4,
    },
  });
  await person.type(dialog.getByLabelText("测试模型"), "model-b");
  await person.type(dialog.getByLabelText("提示词"), "What?");
  await person.click(dialog.getByRole("switch", { name: "流式" }));
  await person.click(dialog.getByRole("button", { name: "测试" }));
  const shown = await dialog.findByRole("status");
  expect(shown.textContent).toContain("model-b 已应答。");
  for (const text of ["0.12 秒", "2.34 秒", "3 / 4", "没有进价", "Hello there"])
    expect(shown.textContent).toContain(text);
  expect(bodyOf("POST /api/channel/test/7")).toEqual({
    endpoint: "chat",
    model: "model-b",
    stream: true,
    prompt: "What?",
  });
});

it("shows why a test failed", async () => {
  const { dialog, person } = await open({
    "GET /api/channel/endpoints/7": ["chat"],
    "POST /api/channel/test/7": {
      ok: false,
      reason: "HTTP 401 no such key",
      model: "model-a",
      text: "",
      bytes: 0,
      duration_ms: 80,
    },
  });
  await person.click(dialog.getByRole("button", { name: "测试" }));
  expect((await dialog.findByRole("status")).textContent).toContain("测试失败：HTTP 401 no such key");
});
