import { describe, expect, it } from "vitest";
import { mapOptions } from "./map-options";
import type { Series } from "./origin";

const map = (options: Record<string, unknown>, series: Series = "new-api") => {
  const rows = Object.entries(options).map(([key, value]) => ({
    key,
    value: typeof value === "string" ? value : JSON.stringify(value),
  }));
  const mapped = mapOptions(rows, { series, version: undefined }, { channels: [], groups: new Set() });
  const said = mapped.remarks
    .filter(({ id }) => Object.hasOwn(options, id))
    .map(({ effect, code, values }) => [effect, code, values]);
  return { ...mapped, said };
};

const LIST = "console_setting.announcements";

describe("announcements of new-api", () => {
  it("keep their text, date and extra lines, with the first line as the title", () => {
    const { announcements, said } = map({
      [LIST]: [
        {
          id: 1,
          content: "## **维护** [详情](https://example.com)\r\n周五停机",
          publishDate: "2026-01-02T03:04:05Z",
          type: "error",
          extra: "抱歉",
        },
        { id: 2, content: "新模型上线", publishDate: "2026-01-01T00:00:00+08:00", type: "success" },
      ],
    });
    expect(announcements).toMatchObject([
      {
        title: "维护 详情",
        body: "## **维护** [详情](https://example.com)\n周五停机\n\n抱歉",
        level: "warning",
        startsAt: 1767323045,
        endsAt: 0,
        isPublic: false,
      },
      { title: "新模型上线", body: "", level: "info", startsAt: 1767196800 },
    ]);
    expect(said).toEqual([["changed", "announcements-imported", { count: 2 }]]);
  });

  it("are reported without a text or a date, and of any other shape", () => {
    const { announcements, said } = map({
      [LIST]: [
        { content: "<br>\u0000", publishDate: "2026-01-01T00:00:00Z" },
        { content: "no date", publishDate: "soon" },
        "text",
        null,
        { content: `${"长".repeat(300)}\u0007`, publishDate: "2026-01-01T00:00:00Z" },
      ],
    });
    expect(announcements.map(({ title, body }) => [title.length, body.length])).toEqual([[100, 300]]);
    expect(said).toEqual([
      ["changed", "announcements-imported", { count: 1 }],
      ["changed", "announcements-unreadable", { count: 4 }],
    ]);
    for (const odd of ["", "[", "{}", "[]", "null"])
      expect(map({ [LIST]: odd })).toMatchObject({ announcements: [], said: [] });
  });

  it("stay behind where they are switched off", () => {
    const one = { content: "hidden", publishDate: "2026-01-01T00:00:00Z" };
    const { announcements, said } = map({ [LIST]: [one], "console_setting.announcements_enabled": "false" });
    expect(announcements).toEqual([]);
    expect(said).toEqual([["left-out", "announcements-off", { count: 1 }]]);
  });

  it("are an unknown option of one-api", () => {
    expect(
      map({ [LIST]: [{ content: "x", publishDate: "2026-01-01T00:00:00Z" }] }, "one-api-0.6"),
    ).toMatchObject({
      announcements: [],
      said: [["left-out", "option-no-equal", {}]],
    });
  });
});

describe("chat links of new-api", () => {
  it("become connect templates where they open something known, and are named where not", () => {
    const { options, said } = map({
      Chats: [
        { "Cherry Studio": "cherrystudio://providers/api-keys?v=1&data={cherryConfig}" },
        { 流畅阅读: "fluentread" },
        { AionUI: "aionui://provider/add?v=1&data={aionuiConfig}" },
        { Lobe: 'https://chat.example.com/?settings={"key":"{key}","url":"{address}/v1"}' },
        { Bad: "javascript:alert(1)" },
        { Lobe: "https://other.example.com" },
        { __proto__x: 7 },
      ],
    });
    expect(options.find(({ key }) => key === "ConnectTemplates")).toEqual({
      key: "ConnectTemplates",
      value: JSON.stringify({
        "Cherry Studio": { link: "cherrystudio://providers/api-keys?v=1&data={cherryConfig}" },
        Lobe: { link: 'https://chat.example.com/?settings={"key":"{key}","url":"{address}/v1"}' },
      }),
      isSecret: false,
    });
    expect(said).toEqual([
      ["changed", "chats-imported", { count: 2 }],
      ["changed", "chats-unknown", { names: "流畅阅读, AionUI, Bad, Lobe, __proto__x" }],
    ]);
  });

  it("are at most as many as there may be templates", () => {
    const many = Array.from({ length: 40 }, (_, index) => ({ [`p${index}`]: "https://example.com/{key}" }));
    const { options } = map({ Chats: many });
    const [template] = options.filter(({ key }) => key === "ConnectTemplates");
    expect(Object.keys(JSON.parse(template?.value ?? "{}"))).toHaveLength(30);
  });
});
