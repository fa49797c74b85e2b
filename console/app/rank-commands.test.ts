import { describe, expect, it } from "vitest";
import { type Command, rankCommands, wordsOf } from "./rank-commands";

const command = (label: string, more: Partial<Command> = {}): Command => ({
  id: label,
  label,
  run: () => undefined,
  ...more,
});
const PAGES = { label: "pages", commands: [command("Channels"), command("Price rules"), command("Prices")] };
const ACTIONS = {
  label: "actions",
  commands: [command("Disable the channel “azure”", { hint: "#3" }), command("Add a channel")],
};
const find = (typed: string, ...groups: { label: string; commands: Command[] }[]) =>
  rankCommands(groups, typed).map(({ label, commands }) => [label, commands.map((each) => each.label)]);

describe("the commands that fit", () => {
  it("are all of them before anything is typed, in their order", () => {
    expect(find("", PAGES, ACTIONS)).toEqual([
      ["pages", ["Channels", "Price rules", "Prices"]],
      ["actions", ["Disable the channel “azure”", "Add a channel"]],
    ]);
  });

  it("have every word that was typed, in the name or beside it", () => {
    expect(find("disable channel 3", PAGES, ACTIONS)).toEqual([["actions", ["Disable the channel “azure”"]]]);
    expect(find("disable channel 4", PAGES, ACTIONS)).toEqual([]);
  });

  it("begin with it before others, whatever their group", () => {
    expect(find("add", PAGES, ACTIONS)).toEqual([["actions", ["Add a channel"]]]);
    expect(find("channel", ACTIONS, PAGES).map(([label]) => label)).toEqual(["pages", "actions"]);
    expect(find("rules", PAGES)).toEqual([["pages", ["Price rules"]]]);
  });

  it("include results that the server found by a hidden field", () => {
    const keys = { label: "keys", commands: [command("laptop", { isFound: true })] };
    expect(find("sk-12", keys, PAGES)).toEqual([["keys", ["laptop"]]]);
  });
});

it.each([
  ["禁用渠道3", ["禁用渠道", "3"]],
  ["禁用渠道 #3", ["禁用渠道", "#3"]],
  ["GPT-5.4 log", ["gpt-5.4", "log"]],
  ["  ", []],
])("%j is typed as the words %j", (typed, words) => {
  expect(wordsOf(typed)).toEqual(words);
});
