// @vitest-environment happy-dom
import { screen, waitFor } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { openConsole } from "../../testing/open-console";

vi.setConfig({ testTimeout: 30_000 });

const stored = (type: number, more: object = {}) => ({
  id: 7,
  type,
  name: "seven",
  key: "",
  group: "default,vip",
  models: "model-a,model-b",
  base_url: "",
  other: "",
  model_mapping: "",
  status: 1,
  ...more,
});

const edit = (channel: object) =>
  openConsole("/channel/edit/7", {
    "GET /api/channel/7": channel,
    "GET /api/channel/models": [{ id: "model-a" }, { id: "model-b" }, { id: "gpt-3.5-turbo" }],
    "GET /api/group/": ["default", "vip"],
    "PUT /api/channel/": {},
    "GET /api/channel/": [channel],
  });

describe("V1: the form of a channel", () => {
  it.each([
    {
      type: 22,
      label: "私有部署地址",
      typed: "https://private.example.com",
      sent: "https://private.example.com",
    },
    { type: 21, label: "知识库 ID", typed: "kb-1", sent: "kb-1" },
    { type: 18, label: "模型版本", typed: "v3.5", sent: "v3.5" },
    { type: 18, label: "模型版本", typed: "", sent: "v2.1" },
    { type: 3, label: "默认 API 版本", typed: "2024-02-01", sent: "2024-02-01" },
    { type: 3, label: "默认 API 版本", typed: "", sent: "2023-06-01-preview" },
  ])(
    "of type $type sends what was typed as $label ($typed) as other: $sent",
    async ({ type, label, typed, sent }) => {
      const stage = await edit(stored(type, { base_url: "https://up.example.com" }));
      const field = screen.getByLabelText(label);
      await stage.person.clear(field);
      if (typed !== "") await stage.person.type(field, typed);
      await stage.person.click(screen.getByRole("button", { name: "提交" }));
      await waitFor(() =>
        expect(stage.bodyOf("PUT /api/channel/")).toMatchObject({ id: 7, type, other: sent }),
      );
    },
  );

  it("asks for an address, and shows an example, where the vendor has none of its own", async () => {
    await edit(stored(37));
    // The star: it must be filled in.
    expect(screen.getByLabelText<HTMLInputElement>("Base URL*").placeholder).toBe(
      "例如：https://api.cloudflare.com/client/v4/accounts/ACCOUNT_ID/ai",
    );
  });

  it("shows what is stored of each field, but never the key, and sends it back as it was", async () => {
    const stage = await edit(
      stored(22, {
        base_url: "https://up.example.com/",
        other: "there",
        model_mapping: '{"a":"b"}',
        key: "secret",
      }),
    );
    const shownIn = (label: string | RegExp) => screen.getByLabelText<HTMLInputElement>(label).value;
    expect(shownIn(/^名称/)).toBe("seven");
    expect(shownIn("私有部署地址")).toBe("there");
    expect(shownIn(/^密钥/)).toBe("");
    expect(document.body.innerHTML).not.toContain("secret");
    for (const chip of ["default", "vip", "model-a", "model-b"]) {
      expect(screen.getByLabelText(`移除 ${chip}`)).toBeTruthy();
    }
    await stage.person.click(screen.getByRole("button", { name: "提交" }));
    await waitFor(() =>
      expect(stage.bodyOf("PUT /api/channel/")).toEqual({
        id: 7,
        type: 22,
        name: "seven",
        group: "default,vip",
        models: "model-a,model-b",
        base_url: "https://up.example.com",
        other: "there",
        model_mapping: '{\n  "a": "b"\n}',
      }),
    );
    await waitFor(() => expect(stage.router.state.location.pathname).toBe("/channel"));
    expect(stage.notices.map(({ kind }) => kind)).toEqual(["success"]);
  });

  it("says in the specification's words what a new one lacks, and sends nothing", async () => {
    const stage = await openConsole("/channel/add", { "GET /api/channel/models": [{ id: "model-a" }] });
    const submit = () => stage.person.click(screen.getByRole("button", { name: "提交" }));
    await submit();
    await stage.person.type(screen.getByLabelText(/^名称/), "eight");
    await submit();
    await stage.person.type(screen.getByLabelText(/^密钥/), "k");
    await submit();
    await waitFor(() => expect(stage.notices).toHaveLength(3));
    expect(stage.notices.map(({ kind, text }) => [kind, text])).toEqual([
      ["info", "请填写渠道名称和渠道密钥！"],
      ["info", "请填写渠道名称和渠道密钥！"],
      ["info", "请至少选择一个模型！"],
    ]);
    expect(stage.calls.some(({ call }) => call.startsWith("POST"))).toBe(false);
  });
});
