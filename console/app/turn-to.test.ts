// @vitest-environment happy-dom

import { afterEach, expect, it } from "vitest";
import { turnTo } from "./turn-to";

afterEach(() => {
  document.body.replaceChildren();
  window.history.replaceState(null, "", "/");
});

const addButton = async (): Promise<HTMLButtonElement> => {
  const button = document.createElement("button");
  document.body.append(button);
  // Observers run after the change.
  await new Promise((resolve) => setTimeout(resolve));
  return button;
};

const isFocused = async (): Promise<boolean> => {
  const button = await addButton();
  return document.activeElement === button;
};

it("turns to an element that appears while its page opens", async () => {
  turnTo(() => document.querySelector("button"));
  expect(await isFocused()).toBe(true);
});

it("does not turn to an element of another page that the user opens meanwhile", async () => {
  turnTo(() => document.querySelector("button"));
  window.history.pushState(null, "", "/other");
  expect(await isFocused()).toBe(false);
});

it("turns only to the element of the last command", async () => {
  turnTo(() => document.querySelector("button"));
  turnTo(() => document.querySelector("input"));
  expect(await isFocused()).toBe(false);
});
