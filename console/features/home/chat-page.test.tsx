// @vitest-environment happy-dom

import { describe, expect, it } from "vitest";
import { screen } from "../../testing/draw";
import { openConsole } from "../../testing/open-console";

describe("V1: the chat", () => {
  it("loads the configured link in its frame", async () => {
    localStorage.setItem("chat_link", "https://chat.example.com/?a=1");
    await openConsole("/chat", {}, 1);
    expect(screen.getByTitle("聊天").getAttribute("src")).toBe("https://chat.example.com/?a=1");
    expect(document.querySelectorAll("iframe")).toHaveLength(1);
  });

  it.each(["", "javascript:alert(1)", "x https://chat.example.com"])(
    "has no frame for the link %j",
    async (link) => {
      localStorage.setItem("chat_link", link);
      await openConsole("/chat", {}, 1);
      expect(document.querySelector("iframe")).toBeNull();
    },
  );
});
