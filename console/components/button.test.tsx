// @vitest-environment happy-dom

import userEvent from "@testing-library/user-event";
import { afterEach, expect, it } from "vitest";
import { cleanup, render, screen } from "../testing/draw";
import { Button } from "./button";

afterEach(cleanup);

it("a busy button keeps the focus, and sends its form only once", async () => {
  const sent: string[] = [];
  const form = (isBusy: boolean) => (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        sent.push("form");
      }}
    >
      <input aria-label="name" />
      <Button type="submit" isBusy={isBusy}>
        send
      </Button>
    </form>
  );
  const person = userEvent.setup();
  const { rerender } = render(form(false));
  await person.click(screen.getByRole("button", { name: "send" }));
  rerender(form(true));
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "send" }));
  await person.keyboard("{Enter}");
  await person.type(screen.getByRole("textbox", { name: "name" }), "a{Enter}");
  expect(sent).toEqual(["form"]);
});
