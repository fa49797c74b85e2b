import { describe, expect, it } from "vitest";
import { describeSetupLink } from "./setup-link";

describe("the printed set-up link", () => {
  it.each([
    ["http://127.0.0.1:3000", "http://127.0.0.1:3000/setup#CODE"],
    ["http://[::1]:3000", "http://[::1]:3000/setup#CODE"],
    ["http://192.168.1.5:80", "http://192.168.1.5:80/setup#CODE"],
  ])("of %s is %s", (url, link) => {
    const text = describeSetupLink(url, "CODE");
    expect(text.split("\n")).toContain(`    ${link}`);
    expect(text).not.toContain("in place of");
  });

  it.each(["http://0.0.0.0:8080", "http://[::]:8080"])(
    "of %s can be opened, and names the part to replace elsewhere",
    (url) => {
      const text = describeSetupLink(url, "CODE");
      expect(text.split("\n")).toContain("    http://127.0.0.1:8080/setup#CODE");
      expect(text).toContain("in place of 127.0.0.1:8080");
      expect(text).toContain("请将 127.0.0.1:8080 换成");
    },
  );
});
