// @vitest-environment happy-dom

import { afterEach, describe, expect, it } from "vitest";
import { type Conversation, emptyStep, newConversation } from "./conversation";
import {
  deleteConversation,
  MAX_CONVERSATIONS,
  readConversations,
  renameConversation,
  saveConversation,
} from "./conversation-store";
import { fileNameOf, titleOf, toJson, toMarkdown } from "./export-conversation";

afterEach(() => localStorage.clear());

const conversationOf = (text: string, changedAt = 1): Conversation => ({
  ...newConversation(),
  changedAt,
  models: ["m"],
  turns: [
    {
      text,
      attachments: [{ name: "cat.png", type: "image/png", data: "data:image/png;base64,AAAA" }],
      answers: [[{ ...emptyStep("m"), text: "answer with ```code```", reasoning: "hm" }]],
    },
  ],
});

describe("stored conversations", () => {
  it("are those of their user, the newest first, without files", () => {
    const [old, young] = [conversationOf("old", 1), conversationOf("young", 2)];
    saveConversation(1, old);
    saveConversation(1, young);
    saveConversation(2, conversationOf("another's"));
    saveConversation(1, newConversation());
    expect(readConversations(1).map(({ id }) => id)).toEqual([young.id, old.id]);
    expect(readConversations(1)[0]?.turns[0]?.attachments).toEqual([
      { name: "cat.png", type: "image/png", data: "" },
    ]);
    renameConversation(1, old.id, "new name");
    deleteConversation(1, young.id);
    expect(readConversations(1).map(titleOf)).toEqual(["new name"]);
    expect(readConversations(2)).toHaveLength(1);
  });

  it("make room for newer ones", () => {
    for (let at = 0; at < MAX_CONVERSATIONS + 3; at += 1) saveConversation(1, conversationOf(`${at}`, at));
    expect(readConversations(1)).toHaveLength(MAX_CONVERSATIONS);
    const long = "x".repeat(900_000);
    for (const at of [1000, 1001, 1002]) saveConversation(1, conversationOf(long, at));
    const kept = readConversations(1).map(({ changedAt }) => changedAt);
    expect(kept.slice(0, 2)).toEqual([1002, 1001]);
    expect(kept).not.toContain(1000);
  });

  it("are left out where they are damaged", () => {
    const good = conversationOf("good");
    localStorage.setItem("playground_1", JSON.stringify([{ id: 7 }, null, good, { ...good, models: [] }]));
    expect(readConversations(1).map(({ id }) => id)).toEqual([good.id]);
    localStorage.setItem("playground_1", "{");
    expect(readConversations(1)).toEqual([]);
  });
});

describe("an exported conversation", () => {
  it("has each message, and fences that its code does not end", () => {
    const text = toMarkdown(conversationOf("question\nsecond line"));
    expect(text).toContain("# question\n");
    expect(text).toContain("- cat.png (image/png)");
    expect(text).toContain("### m\n\n```reasoning\nhm\n```\n\nanswer with ```code```");
    expect(JSON.parse(toJson(conversationOf("q")))).toMatchObject({ models: ["m"] });
  });

  it("has a file name that every system takes", () => {
    expect(fileNameOf(conversationOf('a/b:"c"?'), "md")).toBe("a b c.md");
    expect(fileNameOf(conversationOf("..."), "json")).toBe("conversation.json");
  });
});
