// @vitest-environment happy-dom

import { expect, it } from "vitest";
import { screen } from "../testing/draw";
import { openConsole } from "../testing/open-console";

it.each(["/reconciliation", "/invitation/manage"])(
  "%s has one heading of its own, and its parts have theirs below it",
  async (address) => {
    await openConsole(address);
    await screen.findAllByRole("heading", { level: 2 });
    expect(screen.getAllByRole("heading", { level: 1 })).toHaveLength(1);
  },
);
