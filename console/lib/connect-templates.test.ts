import { describe, expect, it } from "vitest";
import { fillTemplate, hostOf } from "./connect-templates";

const connection = { address: "https://gate.example/x", key: "sk-a/b", model: "组/$& m" };
const link = (template: string) => fillTemplate({ name: "n", kind: "link", template }, connection);

describe("a template", () => {
  it("of a link has its values encoded, so that they change nothing else of it", () => {
    expect(link("https://chat.example/?k={key}&u={address}&m={model}&x={other}")).toBe(
      "https://chat.example/?k=sk-a%2Fb&u=https%3A%2F%2Fgate.example%2Fx&m=%E7%BB%84%2F%24%26%20m&x={other}",
    );
  });

  it("of a text has its values as they are", () => {
    expect(fillTemplate({ name: "n", kind: "text", template: "{key} {model}" }, connection)).toBe(
      "sk-a/b 组/$& m",
    );
  });

  it("fills in the fields that Cherry Studio reads", () => {
    const filled = link("cherrystudio://providers/api-keys?v=1&data={cherryConfig}") ?? "";
    const data = decodeURIComponent(filled.split("data=")[1] ?? "");
    expect(JSON.parse(atob(data))).toMatchObject({ baseUrl: connection.address, apiKey: connection.key });
  });

  it("that a server sends with another scheme is no link", () => {
    expect(link("javascript://x?{key}")).toBeUndefined();
    expect(link("data:text/html,{key}")).toBeUndefined();
  });

  it("names the host that gets the key", () => {
    expect(hostOf("https://chat.example:8443/?k=1")).toBe("chat.example:8443");
    expect(hostOf("cherrystudio://x")).toBeUndefined();
  });
});
